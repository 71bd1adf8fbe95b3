import type { Knex } from 'knex'
import { DatabaseStartError } from './errors.ts'

/** One step of a schema. Its name is permanent: it identifies the steps that have run, and their order. */
export type Migration = Readonly<{ name: string; load: () => Promise<MigrationSteps> }>

/** What the file of a migration exports. */
export type MigrationSteps = Knex.Migration &
  Readonly<{
    /** Earlier migrations that this one stands for: where they have run, `adopt` runs instead of `up`. */
    replaces?: readonly string[]
    /** Later ones that may have run as well. */
    mayReplace?: readonly string[]
    adopt?: (knex: Knex) => Promise<void>
    /** Makes `up`'s tables accept the rows of a backup that the replaced migrations made; `adopt` runs after them. */
    loosen?: (knex: Knex) => Promise<void>
  }>

/** A migration that stands for others which have run: `replaced` are their names as they are recorded. */
type Adoption = Readonly<{ name: string; steps: MigrationSteps; replaced: ReadonlySet<string> }>

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
    const adopted = await adopt(trx, migrations)
    if (direction === 'up') {
      const { unknown } = await migrationStatus(trx, migrations)
      if (unknown.length > 0) throw new DatabaseStartError(newer(unknown), useNewer)
    }
    const [, names] = (await run(trx, configOf(migrations), direction)) as [number, string[]]
    return [...adopted, ...names]
  })
}

async function doneOf(knex: Knex): Promise<readonly string[]> {
  return (await knex.schema.hasTable(tableName)) ? await knex(tableName).orderBy('id').pluck<string[]>('name') : []
}

/** Runs `adopt` of the migrations that stand for others which have run, and records them in their place. */
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
 * Returns the migrations that stand for some of those that have run. Throws a DatabaseStartError if only a part of what
 * one of them replaces has run.
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

/** Returns which steps have run, and which are pending or unknown. Reads only. */
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
