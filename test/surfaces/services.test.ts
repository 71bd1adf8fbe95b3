import t from 'tap'
import type { ServicesGiven } from '../../core/handler/root-services.ts'
import openServices from '../../surfaces/services.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const noLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const given = (databaseUrl: string): ServicesGiven =>
  ({ databaseUrl, dataDir: '', service: { encoding: 'x/universal/v1' } as ServicesGiven['service'], corpora: new Map(), log: noLog })

t.test('services of an empty database can be prepared twice, and say that they hold nothing', async t => {
  const { url } = await testDatabase(t, 'empty')
  const root = await openServices(given(url))
  t.teardown(root.close)
  await eventually(async () => { if ((await root.health()).database?.status !== 'ok') throw new Error('the readers are not connected yet') })
  t.match(await root.health(), { database: { status: 'ok' }, catalogue: { status: 'down' } }, 'before the schema is there')
  await root.prepare(() => undefined)
  await root.prepare(() => undefined)
  t.match(await root.health(), { database: { status: 'ok' }, catalogue: { status: 'degraded', detail: 'The catalogue holds no cards yet.' } })
  t.equal(root.services.encoding, 'x/universal/v1')
})

t.test('without its server the services say so instead of failing', async t => {
  const root = await openServices(given('postgresql://nobody@127.0.0.1:1/none'))
  t.teardown(root.close)
  t.match(await root.health(), { database: { status: 'down' }, catalogue: { status: 'down' } })
  await t.rejects(root.prepare(() => undefined))
})
