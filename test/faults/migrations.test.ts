// test: faults. All migrations are cut at one statement after the other.
import t, { type Test } from 'tap'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { openPool } from '../../core/database/pool.ts'
import { testDatabase } from '../support/database.ts'
import { inTurns } from '../support/effort.ts'
import { proxiedDatabase } from '../support/fault-proxy.ts'
import { migrate } from '../support/migrations.ts'
import { schemaOf } from '../support/schema-of.ts'
import { cutAt, moments } from './cut-at.ts'

t.test('migrations that lose their connection at any of their statements are completed by the next start', async t => {
  const wanted = await schemaOf((await testDatabase(t)).url)
  const run = async (
    t: Test,
    place: number,
    moment: (typeof moments)[number]
  ): Promise<{ seen: number; schema: unknown }> => {
    const { url: direct } = await testDatabase(t, 'empty')
    const { proxy, url } = await proxiedDatabase(t, direct)
    const { toxics, seen } = cutAt(place, moment)
    await proxy.set(toxics)
    for (const address of [url, direct]) {
      const pool = openPool({ url: address }, bulkLimits, 2, silent)
      if (address === url) await migrate(pool).catch(() => undefined)
      else await migrate(pool)
      await pool.destroy()
    }
    return { seen: seen(), schema: await schemaOf(direct) }
  }
  const { seen: statements } = await run(t, 0, 'before')
  t.ok(statements > 50, `${statements} statements`)
  // A database is made for each. The moment changes in turn.
  for (const place of inTurns(
    Array.from({ length: statements }, (_, index) => index + 1),
    60
  )) {
    await t.test(`statement ${place}`, async t => {
      t.same((await run(t, place, moments[place % 2] ?? 'before')).schema, wanted)
    })
  }
})
