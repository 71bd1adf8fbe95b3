import type { Knex } from 'knex'
import { DatabaseStartError } from './errors.ts'

/** One step of a schema. Its name is permanent: it identifies the steps that have run, and their order. */
export type Migration = Readonly<{ name: string; load: () => Promise<MigrationSteps> }>

/** What the file of a migration exports. */
export type MigrationSteps = Knex.Migration

/** `unknown`: steps that have run but that the code does not know. */
export type MigrationStatus = Readonly<{
  done: readonly string[]
  pending: readonly string[]
  unknown: readonly string[]
}>

export type MigrationDirection = 'up' | 'down' | 'reset'

const tableName = 'schema_migrations'

/** Key of the advisory lock: "pantry" in ASCII. */
const lockKey = 0x70616e747279

const configOf = (migrations: readonly Migration[]): Knex.MigratorConfig => ({
  tableName,
  // `migrate` refuses unknown steps with a message of its own.
  disableMigrationsListValidation: true,
  migrationSource: {
    getMigrations: () => Promise.resolve([...migrations]),
    getMigrationName: ({ name }: Migration) => name,
    getMigration: ({ load }: Migration) => load()
  }
})

/**
 * Runs the pending steps (`up`), or reverts the last step (`down`) or all (`reset`), in one transaction. Returns the
 * names of the steps that ran. Several processes may call it at once: an advisory lock lets one work, and the others
 * then find nothing to do. Throws a DatabaseStartError if the schema is newer than the code.
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

/** Returns which steps have run, and which are pending or unknown. Reads only. */
export async function migrationStatus(knex: Knex, migrations: readonly Migration[]): Promise<MigrationStatus> {
  const known = await knex.schema.hasTable(tableName)
  const done: string[] = known ? await knex(tableName).orderBy('id').pluck<string[]>('name') : []
  const names = migrations.map(({ name }) => name)
  return { done, pending: names.filter(name => !done.includes(name)), unknown: unknownOf(done, names) }
}

/** Returns the package that a step belongs to; empty for roots of the project itself. */
const packageOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')))

/**
 * Returns the steps that have run but are unknown. Steps of a package that is not loaded are left out: nothing reads
 * their tables.
 */
function unknownOf(done: readonly string[], names: readonly string[]): readonly string[] {
  const loaded = new Set(names.map(packageOf))
  return done.filter(name => !names.includes(name) && loaded.has(packageOf(name)))
}

/** The message for a schema with steps that the code does not know, and the advice. */
export const newer = (unknown: readonly string[]): string =>
  `The database was used by a newer Pantry, or with other roots: ${unknown.join(', ')} is not known here.`
export const useNewer =
  'Start the version that knows it, or restore a backup that was made before into an empty database.'

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
