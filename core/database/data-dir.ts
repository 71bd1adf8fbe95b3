import type { Knex } from 'knex'

/** Folder of the process that statements are run for, in their transactions too; empty where it has none. */
export const dataDirOf = ({ userParams }: Knex): string =>
  (userParams as Readonly<{ dataDir?: string }> | undefined)?.dataDir ?? ''
