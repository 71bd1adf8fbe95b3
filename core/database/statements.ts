import { tracingChannel } from 'node:diagnostics_channel'

/**
 * One statement, without the values it is given. A lookup of many keys at once is a statement for each request that
 * waits for it.
 */
export type Statement = Readonly<{ name: string; sql?: string | undefined }>

/** Where statements are told while somebody listens, as `diagnostics_channel` of Node does it. */
export const statements = tracingChannel<'pantry.database.statement', Statement>('pantry.database.statement')

/** Runs a statement and tells who listens when it began and ended. Free of cost while nobody does. */
export const told = <T>(statement: Statement, run: () => Promise<T>): Promise<T> =>
  statements.start.hasSubscribers ? statements.tracePromise(run, statement) : run()
