// test: faults. A disk that is full at twenty levels, and bits of tables that are flipped.
import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { openPool } from '../../core/database/pool.ts'
import { importSource } from '../../surfaces/importer.ts'
import { pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { cannotMount, fill, mebibyte, mount } from '../support/disk.ts'
import { startServer } from '../support/embedded.ts'
import { eventually } from '../support/eventually.ts'
import { Dice } from '../support/malformed.ts'
import { migrate } from '../support/migrations.ts'
import { scratchFolder } from '../support/scratch.ts'
import { plain, writeRows } from '../surfaces/import/rows-on-disk.ts'

const rowsOf = (name: string, count: number): Parameters<typeof writeRows>[1] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    number: String(index),
    name: `${name} ${'long '.repeat(35)}`
  }))
const urlOf = ({
  host,
  port,
  user,
  database
}: {
  host: string
  port: number
  user: string
  database: string
}): string => `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`

t.test(
  'a disk that is full at any level leaves the old cards or the new ones, and an import works once there is space',
  { skip: cannotMount() },
  async t => {
    const disk = scratchFolder(t)
    mount(t, disk, '600m')
    const filler = join(disk, 'filler')
    const server = await startServer(t, join(disk, 'data'))
    const database = await openDatabase({ url: urlOf(server.connection), dataDir: '', log: silent })
    t.teardown(() => database.close())
    await migrate(database.bulk)
    const names = async (): Promise<readonly string[]> =>
      (
        await database.bulk.raw<{ rows: { name: string }[] }>(
          "select distinct split_part(name, ' ', 1) as name from cards"
        )
      ).rows.map(({ name }) => name)
    const folder = scratchFolder(t)
    const load = async (name: string): Promise<unknown> =>
      await importSource(database, plain(), { folder: writeRows(folder, rowsOf(name, 4_000)) })
    await load('old')
    let failed = 0
    for (let level = 0; level < 20; level += 1) {
      fill(filler, level * 2 * mebibyte + level * 4096)
      const outcome = await load(`new${level}`).then(
        () => undefined,
        (error: unknown) => error as Error
      )
      if (outcome !== undefined) {
        failed += 1
        t.match(outcome, { status: 503, code: 'SOURCE_UNAVAILABLE' }, `level ${level}: ${outcome.message}`)
      }
      rmSync(filler)
      const held = await eventually(names)
      t.equal(held.length, 1, `level ${level}: one snapshot, ${held.join(' and ')}`)
      if (outcome === undefined) t.same(held, [`new${level}`])
      await eventually(() => load('old'))
      t.same(await names(), ['old'], `level ${level}: works again`)
    }
    t.ok(failed > 3, `${failed} of 20 imports had no room`)

    const small = scratchFolder(t)
    mount(t, small, '64k')
    t.match(
      await pantry(['backup', join(small, 'kept.gz')], {
        DATABASE_URL: urlOf(server.connection),
        PANTRY_DATA_DIR: small
      }),
      { code: 3, stderr: /no space left/ }
    )
    t.throws(() => statSync(join(small, 'kept.gz.part')), { code: 'ENOENT' }, 'and leaves nothing half')
  }
)

/** Flips one bit of a file, by chance. */
function flip(file: string, dice: Dice): void {
  const open = openSync(file, 'r+')
  const at = dice.below(statSync(file).size)
  const byte = Buffer.alloc(1)
  readSync(open, byte, 0, 1, at)
  byte[0] = (byte[0] ?? 0) ^ (1 << dice.below(8))
  writeSync(open, byte, 0, 1, at)
  closeSync(open)
}

t.test(
  'a bit that is flipped in a table or an index is never served: the answer is right or a typed 503, and health says down',
  async t => {
    const { database, url } = await testDatabase(t)
    await importSource(database, plain(), { folder: writeRows(scratchFolder(t), rowsOf('kept', 1_500)) })
    const { rows: files } = await database.bulk.raw<{ rows: { name: string; node: string }[] }>(
      "select relname as name, split_part(pg_relation_filepath(oid), '/', 3) as node from pg_class where relname = 'cards' or oid in (select indexrelid from pg_index where indrelid = 'cards'::regclass)"
    )
    const {
      rows: [place]
    } = await database.bulk.raw<{ rows: { folder: string; name: string }[] }>(
      "select current_setting('data_directory') as folder, current_database() as name"
    )
    const question = 'select sku, content_hash, md5(document) as document from cards'
    const all = async (from: Database): Promise<readonly object[]> =>
      (await from.knex.raw<{ rows: object[] }>(`${question} order by sku collate "C"`)).rows
    const one = async (from: Database, sku: string): Promise<object | undefined> =>
      (await from.knex.raw<{ rows: object[] }>(`${question} where sku = ?`, [sku])).rows[0]
    const wanted = await all(database)
    const skus = wanted.map(row => (row as { sku: string }).sku)
    await database.close()
    const admin = openPool({ url: url.replace(/\/[^/]*$/, '/postgres') }, bulkLimits, 1, silent)
    t.teardown(() => admin.destroy())
    const dice = new Dice(20261123)
    let found = 0
    for (let round = 0; round < 100; round += 1) {
      const name = `${place?.name}_${round}`
      // A copy of the files, whose pages nobody has in memory yet.
      await admin.raw('create database ?? template ?? strategy file_copy', [name, place?.name ?? ''])
      const {
        rows: [copy]
      } = await admin.raw<{ rows: { oid: number }[] }>('select oid::int as oid from pg_database where datname = ?', [
        name
      ])
      const isTable = round % 4 !== 3
      const hit = isTable ? files.find(file => file.name === 'cards') : files[dice.below(files.length)]
      flip(join(place?.folder ?? '', 'base', String(copy?.oid), hit?.node ?? ''), dice)
      const flipped = await openDatabase({ url: url.replace(/\/[^/]*$/, `/${name}`), dataDir: '', log: silent })
      const sku = skus[dice.below(skus.length)] ?? ''
      const outcomes = await Promise.allSettled([all(flipped), one(flipped, sku)])
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === 'rejected') t.match(outcome.reason, { status: 503, code: 'SOURCE_UNAVAILABLE' })
        else t.same(outcome.value, index === 0 ? wanted : wanted[skus.indexOf(sku)], `${hit?.name}, round ${round}`)
      }
      if (isTable) {
        t.equal(outcomes[0].status, 'rejected', `a bit of the table is found, round ${round}`)
        t.match(await flipped.health(), { status: 'down', detail: /cannot read/ })
      }
      if (outcomes.some(({ status }) => status === 'rejected')) found += 1
      await flipped.close()
      await admin.raw('drop database ?? with (force)', [name])
    }
    t.ok(found >= 75, `${found} of 100 were met`)
  }
)
