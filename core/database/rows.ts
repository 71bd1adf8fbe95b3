import type { TSchema } from 'typebox'
import type { JsonSchema } from '../canonical/json.ts'
import type { DataOf } from '../manifest/kind.ts'
import { compileSchema } from '../schema/compile.ts'
import { exactSchema } from '../schema/json-schema.ts'

/** Thrown for a row that does not match its schema: a column is missing or additional, or a value has another type. */
export class RowFault extends Error {
  override readonly name = 'RowFault'
}

/**
 * Returns a function that throws a RowFault for the first row that does not match the schema. It is used in development
 * and tests only, because it takes time.
 */
function compileRowCheck(schema: object): (rows: readonly unknown[]) => void {
  const check = compileSchema(exactSchema(JSON.parse(JSON.stringify(schema))) as JsonSchema)
  return rows => {
    for (const row of rows) {
      const issues = check(row)
      if (issues.length > 0)
        throw new RowFault(
          [
            'A row is not what its schema says.',
            ...issues.map(({ pointer, message }) => `  /${pointer.join('/')}: ${message}`)
          ].join('\n')
        )
    }
  }
}

/**
 * Runs a knex statement and returns its rows. The schema of a row names its columns, with the types of values as
 * `connection.ts` converts them; a row is compared with it only if rows are checked.
 */
export type ReadRows = <S extends TSchema>(row: S, statement: PromiseLike<unknown>) => Promise<readonly DataOf<S>[]>

export function createReadRows(isChecked: boolean): ReadRows {
  const checks = new WeakMap<TSchema, ReturnType<typeof compileRowCheck>>()
  return async <S extends TSchema>(row: S, statement: PromiseLike<unknown>) => {
    const result = await statement
    const rows = (Array.isArray(result) ? result : (result as Readonly<{ rows: unknown }>).rows) as readonly DataOf<S>[]
    if (isChecked) {
      const check = checks.get(row) ?? compileRowCheck(row)
      checks.set(row, check)
      check(rows)
    }
    return rows
  }
}

/** The type of a row as a list of values, from the schemas of its columns in the order of the SELECT. */
export type RowOf<Columns extends readonly TSchema[]> = { readonly [Place in keyof Columns]: DataOf<Columns[Place]> }

/** Compiles the check of rows that are lists, from the schemas of their columns. */
export const compileListCheck = (columns: readonly TSchema[]): ReturnType<typeof compileRowCheck> =>
  compileRowCheck({ type: 'array', minItems: columns.length, maxItems: columns.length, prefixItems: columns })
