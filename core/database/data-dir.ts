import type { Knex } from 'knex'

/** Returns the data folder of the process that a knex instance or transaction belongs to; empty if it has none. */
export const dataDirOf = ({ userParams }: Knex): string =>
  (userParams as Readonly<{ dataDir?: string }> | undefined)?.dataDir ?? ''
