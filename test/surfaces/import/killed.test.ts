// test: long. Imports in a process of their own, which is killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { importSource } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { program } from '../../support/program.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain, writeRows } from './rows-on-disk.ts'

const { database, url } = await testDatabase(t)
const folder = scratchFolder(t)
const count = 4000
const write = (name: string): string =>
  writeRows(
    folder,
    Array.from({ length: count }, (_, index) => ({ id: String(index), number: String(index), name }))
  )
const query = async <T extends object>(sql: string): Promise<T[]> => (await database.bulk.raw<{ rows: T[] }>(sql)).rows
const names = async (): Promise<unknown> => query('select name, count(*)::int as cards from cards group by name')

/** Kills the process that imports as soon as it is this far. Answers whether it was still alive. */
async function killAt(place: number): Promise<boolean> {
  const child = spawn(process.execPath, [...program('test/surfaces/import/run-import'), url, folder], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (Number(line) >= place) child.kill('SIGKILL')
  }
  const [, signal] = (await ended) as [number | null, string | null]
  return signal === 'SIGKILL'
}

t.test('an import that is killed leaves the old snapshot whole, and the next one completes it', async t => {
  await importSource(database, plain(), { folder: write('old') })
  for (const place of [0.1, 0.8]) {
    write('new')
    t.ok(await killAt(place), `killed at ${place}`)
    t.same(await names(), [{ name: 'old', cards: count }])
    t.match(await query('select status from runs order by id desc limit 1'), [{ status: 'running' }])
    t.match(await importSource(database, plain(), { folder: write(`after ${place}`) }), { read: count, written: count })
    t.same(await names(), [{ name: `after ${place}`, cards: count }])
    t.match(await query('select status from runs order by id desc limit 2'), [
      { status: 'succeeded' },
      { status: 'failed' }
    ])
    await importSource(database, plain(), { folder: write('old') })
  }
})
