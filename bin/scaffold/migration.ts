import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { quotedName } from '../../core/database/tables/describe.ts'
import { creating, type NewTable } from '../../core/database/tables/load.ts'
import type { Files, NewMigration, ScaffoldPlace } from '../../core/kinds/scaffold.ts'

const statement = (text: string): string => `  await knex.raw(\`${text.replaceAll(/[`\\]|\$\{/g, '\\$&')}\`)\n`

/** Returns the text of a migration in JavaScript or, with the package of the type `Knex`, in TypeScript. */
export function migrationText({ up, down }: Pick<NewMigration, 'up' | 'down'>, typesFrom?: string): string {
  const signature = (name: string): string =>
    typesFrom === undefined
      ? `/** @param {import('pantry/database').Knex} knex */\nexport async function ${name}(knex)`
      : `export async function ${name}(knex: Knex): Promise<void>`
  return `${typesFrom === undefined ? '// @ts-check' : `import type { Knex } from '${typesFrom}'`}
// Runs once, at the next start. Its name is permanent; a change of the table is another file.

${signature('up')} {
${up.map(statement).join('')}}

${signature('down')} {
${statement(down)}}
`
}

/** Returns the migration that creates a table as `loadRows` does. */
export const tableMigration = (made: NewTable): NewMigration => ({
  name: made.table.replaceAll('.', '_').toLowerCase(),
  up: creating(made),
  down: `drop table ${quotedName(made.table)}`
})

/** Returns the file of the next migration of a root. */
export function migrationFile(
  migration: NewMigration,
  { folder, definer }: Pick<ScaffoldPlace, 'folder' | 'definer'>
): Files {
  const isTyped = existsSync(join(folder, 'tsconfig.json'))
  const there = existsSync(join(folder, 'migrations')) ? readdirSync(join(folder, 'migrations')) : []
  const last = Math.max(0, ...there.map(file => Number(/^\d+/.exec(file)?.[0] ?? 0)))
  const path = `migrations/${String(last + 1).padStart(4, '0')}_${migration.name}.${isTyped ? 'ts' : 'js'}`
  const typesFrom = definer === undefined ? 'pantry/database' : 'knex'
  return { [path]: migrationText(migration, isTyped ? typesFrom : undefined) }
}
