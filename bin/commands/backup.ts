import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { link, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Argument } from 'commander'
import { defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig, UsageError } from '../config.ts'
import { count, print } from '../io.ts'

export const backup = defineCommand<[file: string], RootOptions>({
  name: 'backup',
  group: 'operate',
  summary: 'Write everything that cannot be made again into one file.',
  description: [
    'All tables as one snapshot, and the secrets of the data folder, as a gzip file that only you can read. The service may go on meanwhile.',
    'The file fits every version of PostgreSQL, embedded or not, and later versions of Pantry: `pantry restore` takes it.'
  ],
  arguments: [new Argument('<file>', 'Where to write it. It must not exist.')],
  options: [rootOption()],
  examples: [
    ['pantry backup pantry.backup.gz', 'Of the database of this configuration.'],
    ['pantry backup "pantry-$(date +%F).backup.gz"', 'One each day.']
  ],
  exits: { 3: 'The database cannot be reached, or the file cannot be written.' },
  async run([file], { root }, io) {
    const { withOpenDatabase, readSecrets } = await import('../with-database.ts')
    const { migrationsOf } = await import('../roots.ts')
    const { migrationStatus } = await import('../../core/database/migrations.ts')
    const { backupText } = await import('../../core/database/backup/write.ts')
    const { createProgress } = await import('../progress.ts')
    if (existsSync(file)) throw new UsageError(`\`${file}\` exists. Give another name.`)
    const progress = createProgress(io.stderr)
    const secrets = await readSecrets(readConfig(io.env).dataDir)
    // The backup has another name until it is complete.
    const part = `${file}.part`
    const target = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
    await once(target, 'open')
    try {
      let held = ''
      await withOpenDatabase(io, async ({ bulk }) => {
        const { done: migrations } = await migrationStatus(bulk, migrationsOf(root))
        const text = backupText(
          bulk,
          { made_at: new Date().toISOString(), migrations, secrets },
          {
            onTable: (_table, done, total) => {
              progress({ label: 'backup', done, total })
            },
            onEnd: ({ rows, tables }) => {
              held = `${count(rows, 'row')} of ${count(tables, 'table')}`
            }
          }
        )
        await pipeline(Readable.from(text, { objectMode: true }), createGzip(), target)
      })
      progress({ label: 'backup', done: 1, total: 1 })
      // `link` fails if `file` was created meanwhile.
      await link(part, file)
      print(
        io.stdout,
        `${file}: ${held}, ${count(Object.keys(secrets).length, 'secret')}, ${count((await stat(file)).size, 'byte')}`
      )
      return 0
    } finally {
      await rm(part, { force: true })
    }
  }
})
