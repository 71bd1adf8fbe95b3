import type { Knex } from 'knex'
import { withGrant } from './creation.ts'
import { DatabaseStartError } from './errors.ts'

/** One step of a schema. Its name is permanent, because the database records by name which steps have run. */
export type Migration = Readonly<{ name: string; load: () => Promise<MigrationSteps> }>

/** What the file of a migration exports. */
export type MigrationSteps = Knex.Migration &
  Readonly<{
    /** Names of the earlier migrations that this one replaces. Where they have run, `adopt` runs instead of `up`. */
    replaces?: readonly string[]
    /** Names of further migrations that this one replaces, and that may have run as well. */
    mayReplace?: readonly string[]
    adopt?: (knex: Knex) => Promise<void>
    /**
     * Changes the tables that `up` made so that they accept the rows of a backup made under the replaced migrations.
     * After the rows are loaded, `adopt` runs.
     */
    loosen?: (knex: Knex) => Promise<void>
  }>

/** A migration that replaces others which have run. `replaced`: the names of those, as they may be recorded. */
type Adoption = Readonly<{ name: string; steps: MigrationSteps; replaced: ReadonlySet<string> }>

/**
 * Names of steps that have run (`done`), that have not (`pending`), and that have run but are neither known nor
 * replaced by known steps (`unknown`, without steps of packages that are not loaded).
 */
export type MigrationStatus = Readonly<{
  done: readonly string[]
  pending: readonly string[]
  unknown: readonly string[]
}>

export type MigrationDirection = 'up' | 'down' | 'reset'

const tableName = 'schema_migrations'

/** Key of the advisory lock: the text `pantry` in ASCII. */
const lockKey = 0x70616e747279

const configOf = (migrations: readonly Migration[]): Knex.MigratorConfig => ({
  tableName,
  // `migrate` itself refuses unknown steps, with a better message.
  disableMigrationsListValidation: true,
  migrationSource: {
    getMigrations: () => Promise.resolve([...migrations]),
    getMigrationName: ({ name }: Migration) => name,
    getMigration: ({ load }: Migration) => load()
  }
})

/**
 * Runs the pending steps (`up`), or reverts the last step (`down`) or all (`reset`), in one transaction, and returns
 * the names of these steps and of those that were adopted. An advisory lock lets one process at a time do this. Throws
 * a DatabaseStartError if the schema is too old for the code, or for `up` newer than the code, or if the role may not
 * create tables.
 */
export async function migrate(
  knex: Knex,
  migrations: readonly Migration[],
  direction: MigrationDirection = 'up'
): Promise<readonly string[]> {
  const work = async (trx: Knex.Transaction): Promise<readonly string[]> => {
    await trx.raw('select pg_advisory_xact_lock(?)', [lockKey])
    const adopted = await adopt(trx, migrations)
    if (direction === 'up') {
      const { unknown } = await migrationStatus(trx, migrations)
      if (unknown.length > 0) throw new DatabaseStartError(newerSchemaMessage(unknown), newerSchemaFix)
    }
    const [, names] = (await run(trx, configOf(migrations), direction)) as [number, string[]]
    return [...adopted, ...names]
  }
  try {
    return await knex.transaction(work)
  } catch (error) {
    throw await withGrant(knex, error)
  }
}

async function doneOf(knex: Knex): Promise<readonly string[]> {
  return (await knex.schema.hasTable(tableName)) ? await knex(tableName).orderBy('id').pluck<string[]>('name') : []
}

/**
 * Runs `adopt` of the migrations that replace others which have run, and records their names instead of the replaced
 * ones.
 */
async function adopt(trx: Knex.Transaction, migrations: readonly Migration[]): Promise<readonly string[]> {
  const adoptions = await adoptionsOf(migrations, await doneOf(trx))
  if (adoptions.length === 0) return []
  for (const { steps } of adoptions) await steps.adopt?.(trx)
  const replaced = new Set(adoptions.flatMap(one => [...one.replaced]))
  await trx(tableName)
    .whereIn('name', [...replaced])
    .delete()
  const names = adoptions.map(({ name }) => name)
  await trx(tableName).insert(names.map(name => ({ name, batch: 1, migration_time: trx.fn.now() })))
  return names
}

/**
 * Returns the migrations that replace some of those that have run. Throws a DatabaseStartError if only some of the
 * `replaces` of one of them have run.
 */
export async function adoptionsOf(
  migrations: readonly Migration[],
  done: readonly string[]
): Promise<readonly Adoption[]> {
  if (done.every(name => migrations.some(one => one.name === name))) return []
  const candidates = await Promise.all(
    migrations
      .filter(({ name }) => !done.includes(name))
      .map(async ({ name, load }) => {
        const steps = await load()
        const recorded = (names: readonly string[] = []): string[] =>
          names.map(one => `${name.slice(0, name.lastIndexOf('/') + 1)}${one}`)
        return { name, steps, needed: recorded(steps.replaces), later: recorded(steps.mayReplace) }
      })
  )
  const begun = candidates.filter(({ needed }) => needed.some(name => done.includes(name)))
  const missing = begun.flatMap(({ needed }) => needed.filter(name => !done.includes(name)))
  if (missing.length > 0)
    throw new DatabaseStartError(
      `The schema is too old for this Pantry: ${[...new Set(missing)].sort().join(', ')} has not run.`,
      'Start the last version that has these migrations once, then this one.'
    )
  return begun.map(({ name, steps, needed, later }) => ({ name, steps, replaced: new Set([...needed, ...later]) }))
}

/** Returns which steps have run, and which are pending or unknown. It changes nothing; throws as `adoptionsOf` does. */
export async function migrationStatus(knex: Knex, migrations: readonly Migration[]): Promise<MigrationStatus> {
  const done = await doneOf(knex)
  const names = migrations.map(({ name }) => name)
  const replaced = (await adoptionsOf(migrations, done)).flatMap(one => [...one.replaced])
  return {
    done,
    pending: names.filter(name => !done.includes(name)),
    unknown: unknownOf(done, [...names, ...replaced])
  }
}

/** Returns the name of the package that a step belongs to; an empty text for a step of a root of the project itself. */
const packageOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')))

/**
 * Returns the steps that have run but are unknown. Steps of a package of which no step is known are left out: nothing
 * reads their tables.
 */
function unknownOf(done: readonly string[], names: readonly string[]): readonly string[] {
  const loaded = new Set(names.map(packageOf))
  return done.filter(name => !names.includes(name) && loaded.has(packageOf(name)))
}

/** The message for a schema with steps that the code does not know; `newerSchemaFix` is the advice. */
export const newerSchemaMessage = (unknown: readonly string[]): string =>
  `The database was used by a newer Pantry, or with other roots: ${unknown.join(', ')} is not known here.`
export const newerSchemaFix =
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
