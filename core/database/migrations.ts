import type { Knex } from 'knex'
import { withGrant } from './creation.ts'
import { OperatorFault } from './fault.ts'
import { codeOf, MigrationError } from './errors.ts'
import { jobMigrations } from './jobs/table.ts'
import { onceMigrations } from './once/table.ts'
import { openSession } from './pool.ts'
import { withSchemaLock } from './schema-lock.ts'
import { webhookMigrations } from './webhooks/table.ts'

/** One step of a schema. Its name is permanent, because the database records by name which steps have run. */
export type Migration = Readonly<{ name: string; load: () => Promise<MigrationSteps> }>

/** What the file of a migration exports. */
export type MigrationSteps = Knex.Migration &
  Readonly<{
    /** `transaction: false`: `up` and `down` run outside of any transaction, and keep what they did before a fault. */
    config?: Readonly<{ transaction?: boolean }>
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
 * Runs the pending steps (`up`), or reverts the last step (`down`) or all (`reset`), and returns the names of these
 * steps and of those that were adopted. An advisory lock lets one process at a time do this. All is one transaction,
 * but for steps with `transaction: false`: what comes before such a step is committed first. In a transaction of the
 * caller, and for `reset`, there is none besides (see `inTransaction`). Throws a OperatorFault if the schema is
 * too old for the code, or for `up` newer than the code, or if the role may not create tables.
 */
export async function migrate(
  knex: Knex,
  migrations: readonly Migration[],
  direction: MigrationDirection = 'up'
): Promise<readonly string[]> {
  const isWhole = knex.isTransaction === true || direction === 'reset'
  const ran: string[] = []
  try {
    for (;;) {
      const next = await withSchemaLock(knex, async trx => {
        const adopted = await adopt(trx, migrations)
        const { done, pending, unknown } = await migrationStatus(trx, migrations)
        if (direction === 'up' && unknown.length > 0)
          throw new OperatorFault('O303', newerSchemaMessage(unknown), newerSchemaFix)
        const due =
          direction === 'up'
            ? migrations.filter(({ name }) => pending.includes(name))
            : migrations.filter(({ name }) => done.includes(name)).slice(-1)
        const alone = isWhole ? undefined : await firstAlone(due)
        if (alone !== undefined && direction === 'down') return { names: adopted, alone }
        const before = alone === undefined ? migrations : migrations.slice(0, migrations.indexOf(alone))
        return { names: [...adopted, ...(await inTransaction(trx, before, direction))], alone }
      })
      const { alone } = next
      ran.push(...next.names)
      if (alone === undefined) return ran
      ran.push(...(await withSchemaLock(knex, trx => runAlone(trx, knex, alone, direction))))
      if (direction === 'down') return ran
    }
  } catch (error) {
    throw await withGrant(knex, error)
  }
}

const isAlone = ({ config }: MigrationSteps): boolean => config?.transaction === false

/** Returns the first of the migrations that runs outside of a transaction. All are loaded before any of them runs. */
async function firstAlone(migrations: readonly Migration[]): Promise<Migration | undefined> {
  const steps = await Promise.all(migrations.map(({ load }) => load()))
  return migrations.find((_, index) => steps[index] !== undefined && isAlone(steps[index]))
}

/** Runs a step on a connection of its own, outside of a transaction. `trx` holds the lock meanwhile. */
async function runAlone(
  trx: Knex.Transaction,
  knex: Knex,
  { name, load }: Migration,
  direction: MigrationDirection
): Promise<readonly string[]> {
  const isUp = direction === 'up'
  // Another process may have run it since.
  if ((await doneOf(trx)).includes(name) === isUp) return []
  // Making an index may take longer than a transaction may be idle.
  await trx.raw('set local idle_in_transaction_session_timeout = 0')
  const { up, down } = await load()
  const session = openSession(knex)
  try {
    await (isUp ? up : down)?.(session)
    if (isUp) await recordMigrations(session, [name])
    else await session(tableName).where({ name }).delete()
  } finally {
    await session.destroy()
  }
  return [name]
}

/** SQLSTATEs of a statement that no transaction may contain, and of a procedure that ends its transaction. */
const refusedInside = /^(?:25001|2D000)$/

/**
 * Runs steps in a transaction, also those with `transaction: false`. Of one that PostgreSQL refuses there, nothing is
 * kept: its `up` stays pending, and what its `down` would remove, such as an index, is left to the steps that made the
 * table.
 */
async function inTransaction(
  trx: Knex.Transaction,
  migrations: readonly Migration[],
  direction: MigrationDirection
): Promise<readonly string[]> {
  const left = new Set<string>()
  const inside = migrations.map(({ name, load }) => ({
    name,
    load: async (): Promise<MigrationSteps> => {
      const { config, ...steps } = await load()
      if (config?.transaction !== false) return steps
      const tried = (step: MigrationSteps['up'] | undefined) => async (knex: Knex) => {
        try {
          await knex.transaction(async inner => {
            await step?.(inner)
          })
        } catch (error) {
          if (!refusedInside.test(codeOf(error instanceof MigrationError ? error.cause : error))) throw error
          if (direction === 'up') left.add(name)
        }
      }
      return { ...steps, up: tried(steps.up), down: tried(steps.down) }
    }
  }))
  const [, names] = (await run(trx, configOf(inside), direction)) as [number, string[]]
  if (left.size > 0)
    await trx(tableName)
      .whereIn('name', [...left])
      .delete()
  return names.filter(name => !left.has(name))
}

/** Records that steps have run. */
export async function recordMigrations(knex: Knex, names: readonly string[]): Promise<void> {
  await knex(tableName).insert(names.map(name => ({ name, batch: 1, migration_time: knex.fn.now() })))
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
  await recordMigrations(trx, names)
  return names
}

/**
 * Returns the migrations that replace some of those that have run. Throws a OperatorFault if only some of the
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
    throw new OperatorFault(
      'O304',
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

/** Steps of the framework, each of which runs only for roots that need its tables. */
const frameworkSteps: readonly string[] = [...jobMigrations, ...webhookMigrations, ...onceMigrations].map(
  ({ name }) => name
)

/**
 * Returns the steps that have run but are unknown. Steps of a package of which no step is known are left out: nothing
 * reads their tables. So are those of the framework that the roots need no longer, such as of jobs that are gone.
 */
function unknownOf(done: readonly string[], names: readonly string[]): readonly string[] {
  const loaded = new Set(names.map(packageOf))
  return done.filter(name => !names.includes(name) && !frameworkSteps.includes(name) && loaded.has(packageOf(name)))
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
