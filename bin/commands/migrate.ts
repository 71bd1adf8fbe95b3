import { Argument } from 'commander'
import type { Database } from '../../core/database/database.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { colourSeverity, print, printAs, type Io } from '../io.ts'
import { tableOf } from '../table.ts'

const directions = ['up', 'down', 'status'] as const
const formats = ['table', 'json'] as const

async function show(diagnostics: readonly Diagnostic[], io: Io): Promise<void> {
  if (diagnostics.length === 0) return
  const { formatDiagnostics } = await import('../../core/diagnostics/format.ts')
  print(io.stderr, colourSeverity(formatDiagnostics(diagnostics, 'pretty'), io.stderr, io.env))
}

/** Prints how the tables that are corpora differ from their declarations. */
async function tellDifferences({ bulk }: Pick<Database, 'bulk'>, roots: readonly string[], io: Io): Promise<void> {
  const { readRegistry } = await import('../read-registry.ts')
  const { loadRoots } = await import('../roots.ts')
  const { compareTables } = await import('../../core/database/tables/compare.ts')
  const { readable } = readRegistry(await loadRoots(roots))
  const differences = readable === undefined ? [] : await compareTables(bulk, readable)
  await show(differences, io)
}

export const migrate = defineCommand<
  [direction: (typeof directions)[number]],
  RootOptions & { format: (typeof formats)[number] }
>({
  name: 'migrate',
  group: 'operate',
  summary: 'Bring the database schema up to date.',
  description: [
    'Runs the migrations of all roots that have not run (up), takes back the last one with its data (down), or tells which have run (status).',
    '`pantry serve` runs them itself; several processes may do so at once.'
  ],
  arguments: [new Argument('[direction]', 'What to do.').choices(directions).default('up')],
  options: [rootOption(), choice('--format <format>', 'Form of the list.', formats, 'table')],
  examples: [
    ['pantry migrate', 'Run what has not run.'],
    ['pantry migrate status', 'What has run, and what has not.']
  ],
  exits: { 3: 'The database cannot be started or reached, or a migration failed.' },
  async run([direction], { root, format }, io) {
    const { withOpenDatabase } = await import('../with-database.ts')
    const { changedSources, migrationsOf } = await import('../roots.ts')
    const { migrate: run, migrationStatus } = await import('../../core/database/migrations.ts')
    await show(changedSources(root), io)
    const migrations = migrationsOf(root)
    const byState: Readonly<Record<string, readonly string[]>> =
      migrations.length === 0
        ? {}
        : await withOpenDatabase(io, async ({ bulk }) => {
            if (direction === 'status') {
              const { done, pending } = await migrationStatus(bulk, migrations)
              return { done, pending }
            }
            const names = await run(bulk, migrations, direction)
            if (direction === 'up') await tellDifferences({ bulk }, root, io)
            return { [direction === 'up' ? 'applied' : 'taken back']: names }
          })
    const rows = Object.entries(byState).flatMap(([state, names]) => names.map(migration => ({ migration, state })))
    if (format === 'table' && rows.length === 0) print(io.stderr, 'nothing to do')
    else printAs(io.stdout, format, rows, () => tableOf(['migration', 'state'], rows))
    return 0
  }
})
