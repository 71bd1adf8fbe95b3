import { tracingChannel } from 'node:diagnostics_channel'

/**
 * A statement without its parameter values. A batched lookup counts as a statement for each request that waits for it.
 */
export type Statement = Readonly<{ name: string; sql?: string | undefined }>

/** The tracing channel of Node's `diagnostics_channel` on which statements are published. */
export const statements = tracingChannel<'pantry.database.statement', Statement>('pantry.database.statement')

/** Runs a statement and publishes its beginning and end. Costs nothing without subscribers. */
export const told = <T>(statement: Statement, run: () => Promise<T>): Promise<T> =>
  statements.start.hasSubscribers ? statements.tracePromise(run, statement) : run()
