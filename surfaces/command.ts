import {
  Argument,
  choice,
  defineCommand,
  FindingsError,
  print,
  printJson,
  rootOption,
  table,
  withDatabase,
  type CommandDefinition,
  type Io,
  type Option,
  type RootOptions
} from 'pantry/command'
import type { Database } from 'pantry/database'

type Definition<Action extends string, Options> = Omit<CommandDefinition, 'exits' | 'run'> &
  Readonly<{
    actions: readonly Action[]
    /** The arguments after the action. */
    arguments: readonly Argument[]
    /** The meaning of exit code 1. */
    finding: string
    /** Checks the arguments, and returns the work with the database. */
    run: (
      args: readonly [action: Action, subject?: string, version?: string],
      options: Options,
      io: Io
    ) => (database: Database) => Promise<void>
  }>

/** Throws a SurfaceError as a FindingsError, except SOURCE_UNAVAILABLE; throws any other error unchanged. */
async function asFinding(error: unknown): Promise<never> {
  const { SurfaceError } = await import('pantry/data')
  throw error instanceof SurfaceError && error.code !== 'SOURCE_UNAVAILABLE' ? new FindingsError(error.message) : error
}

/** Defines a command whose first argument is an action on the database: `pantry keys revoke <id>`. */
export const defineActions = <const Action extends string, Options extends object>({
  actions,
  finding,
  run,
  ...definition
}: Definition<Action, Options>): CommandDefinition =>
  defineCommand<[Action], Options & RootOptions>({
    ...definition,
    arguments: [new Argument('<action>', 'What to do.').choices(actions), ...definition.arguments],
    options: [rootOption(), ...definition.options],
    exits: { 1: finding, 3: 'The database cannot be started or reached.' },
    async run(args, options, io) {
      await withDatabase(io, options.root, run(args, options, io)).catch(asFinding)
      return 0
    }
  })

export type ListFormat = 'table' | 'json'

export const formatOption = (): Option =>
  choice('--format <format>', 'Form of what is printed.', ['table', 'json'], 'table')

/** Prints rows as JSON, or as a table; `columns` has a function for the cells of each column by its heading. */
export function printRows<Row>(
  io: Io,
  format: ListFormat,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string>>
): void {
  if (format === 'json') printJson(io.stdout, rows)
  else {
    const cells = Object.values(columns)
    print(
      io.stdout,
      table(
        Object.keys(columns),
        rows.map(row => cells.map(cell => cell(row)))
      )
    )
  }
}
