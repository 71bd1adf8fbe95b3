import t from 'tap'
import type { Config } from '../../../bin/config.ts'
import { openServices } from '../../../bin/open-services.ts'
import { loadRoots } from '../../../bin/roots.ts'
import { marketStage, readAuction } from '../market/stage.ts'
import { registryOf } from '../../support/registry.ts'

const { database, url, store, member, live } = await marketStage(t)
const { knex } = database
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const { registry } = await registryOf()
const { jobs, migrate, close } = await openServices(
  await loadRoots([]),
  registry,
  { databaseUrl: url, dataDir: '' } as Config,
  log
)
t.teardown(close)
await migrate()

t.test('the clock of the market ends what nobody reads', async t => {
  const id = await live(await member('ada'))
  await knex('auctions')
    .where({ id })
    .update({
      starts_at: knex.raw("starts_at - interval '2 hours'"),
      ends_at: knex.raw("date_trunc('milliseconds', clock_timestamp())")
    })
  t.match(await jobs.runNow('market-clock'), { end: { outcome: 'done' }, isOver: true })
  t.match(await readAuction(store, id), { status: 'ended' })
})

t.test('what has ended is deleted, also where nobody signs in', async t => {
  await knex('invitations').insert([
    { digest: 'ended', expires_at: knex.raw("now() - interval '1 second'") },
    { digest: 'holds', expires_at: knex.raw("now() + interval '1 hour'") }
  ])
  await knex('mailed_codes').insert({
    request: 'late',
    address: 'a@example.org',
    purpose: 'sign-up',
    digest: 'y',
    attempts_left: 5,
    asked_at: knex.raw("now() - interval '61 minutes'")
  })
  t.match(await jobs.runNow('delete-expired'), { end: { outcome: 'done' }, isOver: true })
  t.same(await knex('invitations').select('digest'), [{ digest: 'holds' }])
  t.same(await knex('mailed_codes'), [])
})
