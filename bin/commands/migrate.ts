import { Argument } from 'commander'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { print, printAs } from '../io.ts'
import { tableOf } from '../table.ts'

const directions = ['up', 'down', 'status'] as const
const formats = ['table', 'json'] as const

export const migrate = defineCommand<
  [direction: (typeof directions)[number]],
  RootOptions & { format: (typeof formats)[number] }
>({
  name: 'migrate',
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
  exits: { 3: 'The database cannot be started or reached.' },
  async run([direction], { root, format }, io) {
    const { withOpenDatabase } = await import('../with-database.ts')
    const { migrationsOf } = await import('../roots.ts')
    const { migrate: run, migrationStatus } = await import('../../core/database/migrations.ts')
    const migrations = migrationsOf(root)
    const byState: Readonly<Record<string, readonly string[]>> =
      migrations.length === 0
        ? {}
        : await withOpenDatabase(io, async ({ bulk }) => {
            if (direction === 'status') {
              const { done, pending } = await migrationStatus(bulk, migrations)
              return { done, pending }
            }
            return { [direction === 'up' ? 'applied' : 'taken back']: await run(bulk, migrations, direction) }
          })
    const rows = Object.entries(byState).flatMap(([state, names]) => names.map(migration => ({ migration, state })))
    if (format === 'table' && rows.length === 0) print(io.stderr, 'nothing to do')
    else printAs(io.stdout, format, rows, () => tableOf(['migration', 'state'], rows))
    return 0
  }
})
