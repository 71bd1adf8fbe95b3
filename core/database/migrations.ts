import type { Knex } from 'knex'

/** One step of a schema. Its name is permanent: it says what ran, and in which order. */
export type Migration = Readonly<{ name: string, load: () => Promise<MigrationSteps> }>

/** What the file of a migration exports. */
export type MigrationSteps = Knex.Migration

export type MigrationStatus = Readonly<{ done: readonly string[], pending: readonly string[] }>

export type MigrationDirection = 'up' | 'down' | 'reset'

const tableName = 'schema_migrations'

/** Key of the advisory lock, ours alone: "pantry" in ASCII. */
const lockKey = 0x70616e747279

const configOf = (migrations: readonly Migration[]): Knex.MigratorConfig => ({
  tableName,
  // A database may have steps of a root that is not loaded now.
  disableMigrationsListValidation: true,
  migrationSource: {
    getMigrations: () => Promise.resolve([...migrations]),
    getMigrationName: ({ name }: Migration) => name,
    getMigration: ({ load }: Migration) => load()
  }
})

/**
 * Brings the schema up to date, takes back the last step (`down`) or everything (`reset`), in one transaction: all or nothing.
 * Returns the names that ran. Several processes may call it at once: an advisory lock lets one work and the others find it done.
 */
export async function migrate (knex: Knex, migrations: readonly Migration[], direction: MigrationDirection = 'up'): Promise<readonly string[]> {
  return await knex.transaction(async trx => {
    await trx.raw('select pg_advisory_xact_lock(?)', [lockKey])
    const [, names] = await run(trx, configOf(migrations), direction) as [number, string[]]
    return names
  })
}

/** What ran already and what is still to run. Reads only. */
export async function migrationStatus (knex: Knex, migrations: readonly Migration[]): Promise<MigrationStatus> {
  const known = await knex.schema.hasTable(tableName)
  const done: string[] = known ? await knex(tableName).orderBy('id').pluck<string[]>('name') : []
  return { done, pending: migrations.map(({ name }) => name).filter(name => !done.includes(name)) }
}

function run (trx: Knex.Transaction, config: Knex.MigratorConfig, direction: MigrationDirection): Promise<unknown> {
  switch (direction) {
    case 'up': return trx.migrate.latest(config)
    case 'down': return trx.migrate.down(config)
    case 'reset': return trx.migrate.rollback(config, true)
  }
}
