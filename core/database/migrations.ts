import type { Knex } from 'knex'
import { DatabaseStartError } from './errors.ts'

/** One step of a schema. Its name is permanent: it says what ran, and in which order. */
export type Migration = Readonly<{ name: string; load: () => Promise<MigrationSteps> }>

/** What the file of a migration exports. */
export type MigrationSteps = Knex.Migration

/** `unknown`: what ran and is no step of the code that asks. */
export type MigrationStatus = Readonly<{
  done: readonly string[]
  pending: readonly string[]
  unknown: readonly string[]
}>

export type MigrationDirection = 'up' | 'down' | 'reset'

const tableName = 'schema_migrations'

/** Key of the advisory lock, ours alone: "pantry" in ASCII. */
const lockKey = 0x70616e747279

const configOf = (migrations: readonly Migration[]): Knex.MigratorConfig => ({
  tableName,
  // What is not known here is refused by `migrate`, in words of our own.
  disableMigrationsListValidation: true,
  migrationSource: {
    getMigrations: () => Promise.resolve([...migrations]),
    getMigrationName: ({ name }: Migration) => name,
    getMigration: ({ load }: Migration) => load()
  }
})

/**
 * Brings the schema up to date, takes back the last step (`down`) or everything (`reset`), in one transaction: all or
 * nothing. Returns the names that ran. Several processes may call it at once: an advisory lock lets one work and the
 * others find it done. Throws a DatabaseStartError where the schema is newer than the code.
 */
export async function migrate(
  knex: Knex,
  migrations: readonly Migration[],
  direction: MigrationDirection = 'up'
): Promise<readonly string[]> {
  return await knex.transaction(async trx => {
    await trx.raw('select pg_advisory_xact_lock(?)', [lockKey])
    if (direction === 'up') {
      const { unknown } = await migrationStatus(trx, migrations)
      if (unknown.length > 0) throw new DatabaseStartError(newer(unknown), useNewer)
    }
    const [, names] = (await run(trx, configOf(migrations), direction)) as [number, string[]]
    return names
  })
}

/** What ran already and what is still to run. Reads only. */
export async function migrationStatus(knex: Knex, migrations: readonly Migration[]): Promise<MigrationStatus> {
  const known = await knex.schema.hasTable(tableName)
  const done: string[] = known ? await knex(tableName).orderBy('id').pluck<string[]>('name') : []
  const names = migrations.map(({ name }) => name)
  return { done, pending: names.filter(name => !done.includes(name)), unknown: unknownOf(done, names) }
}

/** The package whose root a step is of; empty for the project's own roots. */
const packageOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')))

/** A root that is not loaded now leaves its tables behind, which nothing reads. */
function unknownOf(done: readonly string[], names: readonly string[]): readonly string[] {
  const loaded = new Set(names.map(packageOf))
  return done.filter(name => !names.includes(name) && loaded.has(packageOf(name)))
}

/** What is said where the schema has steps that the code does not know, and what to do. */
export const newer = (unknown: readonly string[]): string =>
  `The database was used by a newer Pantry, or with other roots: ${unknown.join(', ')} is not known here.`
export const useNewer = 'Start the version that knows it, or restore a backup that was made before.'

function run(trx: Knex.Transaction, config: Knex.MigratorConfig, direction: MigrationDirection): Promise<unknown> {
  switch (direction) {
    case 'up':
      return trx.migrate.latest(config)
    case 'down':
      return trx.migrate.down(config)
    case 'reset':
      return trx.migrate.rollback(config, true)
  }
}
