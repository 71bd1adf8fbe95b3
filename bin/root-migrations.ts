import { basename, extname } from 'node:path'
import type { Migration, MigrationSteps } from '../core/database/migrations.ts'
import { UsageError } from './config.ts'
import type { RootModule } from './handler-files.ts'

/** Matches names such as `0001_trees.js`; migrations run in the order of their names. */
const migrationName = /^(\d{4}_[a-z0-9_]+)\.(?:ts|js)$/

/**
 * Builds the migrations of a root from its modules. Executed migrations are recorded by name; those of an installed
 * package are prefixed with the package name, so that two packages may use the same names.
 */
export function readMigrations(modules: readonly RootModule[], packageName: string | undefined): readonly Migration[] {
  return modules.map(({ file, load }) => {
    const name = migrationName.exec(basename(file))?.[1]
    if (name === undefined)
      throw new UsageError(`${file} is not named as a migration is, such as 0001_trees${extname(file)}.`)
    return { name: packageName === undefined ? name : `${packageName}/${name}`, load: () => stepsOf(file, load) }
  })
}

/**
 * Returns the exports of a module. Throws a UsageError that names the file if it is not a migration, before any of its
 * steps runs.
 */
async function stepsOf(file: string, load: RootModule['load']): Promise<MigrationSteps> {
  const steps = (await load()) as Partial<MigrationSteps>
  const missing = (['up', 'down'] as const).filter(step => typeof steps[step] !== 'function')
  if (missing.length > 0)
    throw new UsageError(
      `${file} does not export ${missing.map(step => `\`${step}\``).join(' and ')}. A migration is \`export async function up (knex) { … }\`, and \`down\`, which takes it back.`
    )
  return steps as MigrationSteps
}

type WithMigrations = Readonly<{ name: string; migrations: readonly Migration[] }>

/** Joins the migrations of all roots, in load order. Throws a UsageError if two roots have one of the same name. */
export function joinMigrations(roots: readonly WithMigrations[]): readonly Migration[] {
  const owners = new Map<string, string>()
  return roots.flatMap(root =>
    root.migrations.map(migration => {
      const owner = owners.get(migration.name)
      if (owner !== undefined)
        throw new UsageError(
          `The roots \`${owner}\` and \`${root.name}\` both have a migration \`${migration.name}\`. Rename the one that has not run anywhere.`
        )
      owners.set(migration.name, root.name)
      return migration
    })
  )
}
