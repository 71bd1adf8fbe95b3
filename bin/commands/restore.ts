import { constants, createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Argument, Option } from 'commander'
import { defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig } from '../config.ts'
import { OperatorFault } from '../../core/database/fault.ts'
import { count, print } from '../io.ts'

export const restore = defineCommand<[file: string], RootOptions & { replace?: true }>({
  name: 'restore',
  group: 'operate',
  summary: 'Fill the database from a file of `pantry backup`.',
  description: [
    'All of it in one transaction or nothing: the schema as it was, the rows, then the migrations that are new since. Stop the service first.',
    'The way to a new major version of PostgreSQL, and from the embedded database to a server of your own and back.'
  ],
  arguments: [new Argument('<file>', 'What `pantry backup` wrote.')],
  options: [rootOption(), new Option('--replace', 'Take away what the database holds.')],
  examples: [
    ['pantry restore pantry.backup.gz', 'Into an empty database.'],
    ['DATABASE_URL=postgres://pantry@db.example/pantry pantry restore pantry.backup.gz', 'Into a server of your own.'],
    ['pantry restore pantry.backup.gz --replace', 'In place of what is there.']
  ],
  exits: {
    1: 'The file is no whole backup of this or an earlier version, the database holds rows, or a service uses it.',
    3: 'The database cannot be reached, or the file cannot be read.'
  },
  async run([file], { root, replace = false }, io) {
    const { withOpenDatabase, keepSecrets } = await import('../with-database.ts')
    const { migrationsOf } = await import('../roots.ts')
    const { refuseBesideService } = await import('../../core/database/backup/beside.ts')
    const { restore: fill } = await import('../../core/database/backup/restore.ts')
    const { brokenBackup } = await import('../../core/database/backup/format.ts')
    const { createProgress } = await import('../progress.ts')
    const progress = createProgress(io.stderr)
    const unread = (reason: string, cause?: unknown): OperatorFault =>
      new OperatorFault(
        'O404',
        `\`${file}\` cannot be read: ${reason}.`,
        'Give the name of a file that `pantry backup` wrote.',
        cause
      )
    await access(file, constants.R_OK).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException
      throw unread(
        code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'you may not read it' : (code ?? 'unknown'),
        error
      )
    })
    if ((await stat(file)).isDirectory()) throw unread('it is a folder')
    let tables = 0
    let broken: unknown
    const bytes = async function* (): AsyncGenerator<Buffer> {
      try {
        // The stream is opened when it is first read, so that its errors are handled.
        yield* pipeline(createReadStream(file), createGunzip(), () => undefined) as AsyncIterable<Buffer>
      } catch (error) {
        broken = error
        throw error
      }
    }
    const { header, ...size } = await withOpenDatabase(io, async ({ bulk, target }) => {
      await refuseBesideService(bulk, target)
      return await fill(bulk, bytes(), {
        migrations: migrationsOf(root),
        replace,
        onTable: () => {
          progress({ label: 'restore', done: tables++, total: undefined })
        }
      })
    }).catch((error: unknown) => {
      // COPY reports a failed source with its own message, so the original error takes precedence.
      const reason = broken ?? error
      const isDamaged = reason instanceof Error && 'code' in reason && String(reason.code).startsWith('Z_')
      throw isDamaged ? brokenBackup(`\`${file}\` cannot be unpacked: ${reason.message}`, reason) : reason
    })
    const others = await keepSecrets(readConfig(io.env).dataDir, header.secrets)
    for (const name of others)
      print(
        io.stderr,
        `warning: \`${name}\` in the data folder is another than in the backup, and stays. Remove it and restore again to have the other.`
      )
    print(
      io.stdout,
      `${file} of ${header.made_at}: ${count(size.rows, 'row')} of ${count(size.tables, 'table')}, ${count(Object.keys(header.secrets).length - others.length, 'secret')}`
    )
    return 0
  }
})
