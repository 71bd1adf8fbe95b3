// test: faults. An import is cut at each of its statements in turn.
import t, { type Test } from 'tap'
import { silent } from '../../core/database/connection.ts'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { importSource } from '../../surfaces/importer.ts'
import { testDatabase } from '../support/database.ts'
import { proxiedDatabase, type FaultProxy, type Toxics } from '../support/fault-proxy.ts'
import { scratchFolder } from '../support/scratch.ts'
import { plain, writeRows } from '../surfaces/import/rows-on-disk.ts'
import { cutAt, moments } from './cut-at.ts'

async function opened(t: Test, url: string): Promise<Database> {
  const database = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  return database
}

/** What is held of cards, sets and games, without what differs from run to run. */
async function held(database: Database): Promise<string> {
  const { rows } = await database.bulk.raw<{ rows: { found: string }[] }>(`
    select concat_ws(' ', 'card', sku, content_hash) as found from cards union all select concat_ws(' ', 'set', game, content_hash) from sets
    union all select concat_ws(' ', 'game', content_hash) from games union all select concat_ws(' ', 'observation', source, native_id, sku) from observations order by 1`)
  return rows.map(({ found }) => found).join('\n')
}

const rowsOf = (name: string, count: number): Parameters<typeof writeRows>[1] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${name}${index}`,
    number: String(index),
    set: `S${index % 3}`,
    setName: `${name} ${index % 3}`,
    name: `${name} ${index}`
  }))

/** Runs an import through the proxy; what it was refused with, if it was. */
async function through(proxy: FaultProxy, toxics: Toxics, database: Database, folder: string): Promise<unknown> {
  await proxy.set(toxics)
  return await importSource(database, plain(), { folder, allowWithdraw: 100 }).then(
    () => undefined,
    (error: unknown) => error
  )
}

for (const moment of moments) {
  t.test(
    `an import that loses its connection ${moment} any of its statements leaves the old cards or the new ones, and the next one completes it`,
    async t => {
      const { url: direct } = await testDatabase(t)
      const { proxy, url } = await proxiedDatabase(t, direct)
      const database = await opened(t, direct)
      const [old, next] = [
        writeRows(scratchFolder(t), rowsOf('old', 12)),
        writeRows(scratchFolder(t), rowsOf('new', 15))
      ]
      const load = (folder: string) => importSource(database, plain(), { folder, allowWithdraw: 100 })
      await load(next)
      const wanted = await held(database)
      await load(old)
      const before = await held(database)
      t.not(before, wanted)
      const counting = cutAt(0, moment)
      t.equal(await through(proxy, counting.toxics, await opened(t, url), next), undefined)
      const statements = counting.seen()
      t.ok(statements > 30, `${statements} statements`)
      let kept = 0
      for (let place = 1; place <= statements; place += 1) {
        await load(old)
        const cut = await opened(t, url)
        const refused = await through(proxy, cutAt(place, moment).toxics, cut, next)
        await cut.close()
        const found = await held(database)
        if (found === before) kept += 1
        else if (found !== wanted) t.fail(`${moment} statement ${place}: neither the old cards nor the new ones`)
        // What comes after the last commit is only the record of the run.
        if (refused === undefined) t.equal(found, wanted, `${moment} statement ${place}`)
        if (place % 8 !== 0) continue
        await load(next)
        t.equal(await held(database), wanted, `completed after ${moment} statement ${place}`)
        t.match(await load(next), { written: 0 })
      }
      t.ok(kept > statements / 2, `${kept} of ${statements} kept the old cards`)
    }
  )
}
