import { basename, extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Migration, MigrationSteps } from '../core/database/migrations.ts'
import { UsageError } from './config.ts'

/** `0001_trees.js`: they run in the order of their names. */
const migrationName = /^(\d{4}_[a-z0-9_]+)\.(?:ts|js)$/

/**
 * The migrations of a root, from their files. What ran is recorded under their names; those of an installed package get
 * its name in front, so that two packages may use the same ones.
 */
export function readMigrations(files: readonly string[], packageName: string | undefined): readonly Migration[] {
  return files.map(file => {
    const name = migrationName.exec(basename(file))?.[1]
    if (name === undefined)
      throw new UsageError(`${file} is not named as a migration is, such as 0001_trees${extname(file)}.`)
    return { name: packageName === undefined ? name : `${packageName}/${name}`, load: () => stepsOf(file) }
  })
}

/**
 * What a file exports. Throws a UsageError that names the file when it is not a migration, before anything of it runs.
 */
async function stepsOf(file: string): Promise<MigrationSteps> {
  const steps = (await import(pathToFileURL(file).href)) as Partial<MigrationSteps>
  const missing = (['up', 'down'] as const).filter(step => typeof steps[step] !== 'function')
  if (missing.length > 0)
    throw new UsageError(
      `${file} does not export ${missing.map(step => `\`${step}\``).join(' and ')}. A migration is \`export async function up (knex) { … }\`, and \`down\`, which takes it back.`
    )
  return steps as MigrationSteps
}

type WithMigrations = Readonly<{ name: string; migrations: readonly Migration[] }>

/** Those of all roots, in load order. Throws a UsageError when two roots have one of the same name. */
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
