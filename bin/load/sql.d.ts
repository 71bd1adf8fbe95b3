/** The part of `sql.js` that is used: SQLite, compiled to WebAssembly. */
declare module 'sql.js' {
  /** A value of SQLite; integers are bigints where `useBigInt` asks for them. */
  export type SqlValue = number | bigint | string | Uint8Array | null

  export type Statement = {
    step(): boolean
    get(parameters: null, config: Readonly<{ useBigInt: boolean }>): SqlValue[]
    free(): boolean
  }

  export class Database {
    constructor(file?: Uint8Array)
    exec(sql: string): { columns: string[]; values: SqlValue[][] }[]
    run(sql: string): this
    prepare(sql: string): Statement
    export(): Uint8Array
    close(): void
  }

  export default function initSqlJs(): Promise<Readonly<{ Database: typeof Database }>>
}
