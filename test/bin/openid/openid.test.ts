import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/project.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { startService } from '../../support/service.ts'
import { startProvider } from './provider.ts'

const head = (path: string, summary: string, access: string): string => `path: ${path}
summary: ${summary}
tags: [people]
provenance: live
access: ${access}
carries_pii: true
requires_consent: false
freshness: live
license: NOASSERTION
sources: [self]
since: 2026-11-28
contract: bare
`

const surface = (path: string, summary: string, access: string, asked = '', method = 'GET'): string => `kind: handler
method: ${method}
${head(path, summary, access)}formats: [json]
agent: never
examples:
  - title: As nobody
${asked}    expect: { status: ${access === '[public, user]' ? 400 : 401} }
`

const page = `kind: page
title: Keys of agents
${head('/keys', 'The keys of agents, and a form that issues one.', 'admin')}formats: [html]
shows: { found: /desk/keys }
forms:
  issue: { sends: /desk/keys }
  revoke: { path: /keys/revoke, sends: /desk/keys/revoke }
examples:
  - title: As nobody
    expect: { status: 401 }
`

const code = (name: string, exported = '*'): string =>
  `export ${exported} from ${JSON.stringify(join(import.meta.dirname, `${name}.js`))}\n`

const files: Readonly<Record<string, string>> = {
  'manifests/service.yaml': `id: club
name: Club
summary: A service whose members sign in elsewhere.
base_url: http://127.0.0.1:8080
contact: { email: you@example.org, response_hours: 48 }
`,
  'manifests/sign-in.yaml': surface('/sign-in', 'Begins to sign in.', '[public, user]'),
  'manifests/sign-in/back.yaml': surface('/sign-in/back', 'Ends to sign in.', '[public, user]'),
  'manifests/sign-in/who.yaml': surface('/sign-in/who', 'Who asks.', '[user, agent]'),
  'manifests/keys.yaml': surface('/desk/keys', 'The keys of agents.', 'admin'),
  'manifests/keys.post.yaml': surface(
    '/desk/keys',
    'Issues a key.',
    'admin',
    '    body: { name: Harbour, scopes: [] }\n',
    'POST'
  ),
  'manifests/keys/revoke.post.yaml': surface(
    '/desk/keys/revoke',
    'Revokes a key.',
    'admin',
    '    body: { prefix: pantry_key_abcdefgh }\n',
    'POST'
  ),
  'manifests/pages/keys.yaml': page,
  'surfaces/handlers/keys.js': `${code('handlers/keys')}${code('handlers/keys', '{ default }')}`,
  'surfaces/handlers/pages/keys.js': code('handlers/pages/keys', '{ default }'),
  'surfaces/handlers/sign-in.js': `${code('handlers/sign-in')}${code('handlers/sign-in', '{ default }')}`,
  'surfaces/services.js': code('services', '{ default }'),
  'surfaces/settings.js': code('settings', '{ default }'),
  'migrations/0001_people.js': code('sessions', '{ up, down }')
}

/** Serves the example with a provider; `ask` goes as a browser does, with its cookies. */
async function serve(options: Parameters<typeof startProvider>[2] = {}) {
  const { url: databaseUrl } = await testDatabase(t, 'empty')
  const folder = scratchFolder(t)
  for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const issuer = await startProvider(t, 'ada', options)
  const env = {
    DATABASE_URL: databaseUrl,
    PANTRY_DATA_DIR: join(folder, 'data'),
    PANTRY_ISSUER: issuer,
    PANTRY_ADMIN: 'ada',
    PANTRY_CLIENT_ID: 'club',
    PANTRY_CLIENT_SECRET: 'a secret of the test'
  }
  const { url } = await startService(t, { args: ['--root', folder, '--root', 'pantry/keys'], env })
  const cookies = new Map<string, string>()
  const ask = async (target: string | null, fields?: Readonly<Record<string, string>>): Promise<Response> => {
    const to = new URL(target ?? '/', url)
    // The address in links is the one that is declared; the service listens at a free port.
    if (to.port === '8080') to.port = new URL(url).port
    const held = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = fields && { method: 'POST', body: new URLSearchParams(fields) }
    const answer = await fetch(to, { redirect: 'manual', headers: { Cookie: held, Origin: to.origin }, ...sent })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    return answer
  }
  const signIn = async (): Promise<void> => {
    const asked = await ask((await ask('/sign-in')).headers.get('location'))
    t.equal((await ask(asked.headers.get('location'))).status, 303)
  }
  return { ask, cookies, signIn, url }
}

t.test('a person signs in with OpenID Connect, and is known by a session', async t => {
  const { ask, cookies } = await serve()
  t.equal((await ask('/sign-in/who')).status, 401)
  const begun = await ask('/sign-in')
  t.equal(begun.status, 303, await begun.text())
  const asked = await ask(begun.headers.get('location'))
  const back = asked.headers.get('location')
  const ended = await ask(back)
  t.equal(ended.status, 303, await ended.text())
  t.equal(ended.headers.get('location'), '/')
  const who = await ask('/sign-in/who')
  t.equal(who.headers.get('ratelimit-limit'), '600')
  t.same(await who.json(), { person: 'ada' })
  cookies.delete('pantry_session')
  t.equal((await ask(back)).status, 400, 'a code is taken once')
})

t.test('what another browser began, and a token for another sign-in, sign nobody in', async t => {
  const { ask, cookies } = await serve({ nonce: 'of another' })
  const begun = await ask('/sign-in')
  const asked = await ask(begun.headers.get('location'))
  const kept = new Map(cookies)
  cookies.clear()
  t.equal((await ask(asked.headers.get('location'))).status, 400, 'another browser')
  for (const [name, value] of kept) cookies.set(name, value)
  t.equal((await ask(asked.headers.get('location'))).status, 400, 'another nonce')
  t.equal((await ask('/sign-in/who')).status, 401)
})

t.test('an admin issues and revokes keys on a page', async t => {
  const { ask, signIn, url } = await serve()
  t.equal((await ask('/keys')).status, 401)
  await signIn()
  const tokenOf = (html: string): string => / name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const token = tokenOf(await (await ask('/keys')).text())
  const made = await ask('/keys', { token, name: 'Harbour office', scope: '' })
  t.equal(made.status, 200)
  const [key = ''] = /pantry_key_[\w-]{30,}/.exec(await made.text()) ?? []
  t.equal((await ask('/keys', { name: 'Without the token', scope: '' })).status, 403)
  t.equal((await ask('/keys', { token, name: 'A scope that is not known', scope: 'rule' })).status, 400)
  const whoAmI = async (): Promise<number> =>
    (await fetch(new URL('/sign-in/who', url), { headers: { Authorization: `Bearer ${key}` } })).status
  t.equal(await whoAmI(), 200)
  const shown = await (await ask('/keys')).text()
  t.match(shown, 'Harbour office')
  t.notMatch(shown, key)
  const revoked = await ask('/keys/revoke', { token, prefix: key.slice(0, 19) })
  t.equal(revoked.status, 303)
  t.match(await (await ask('/keys')).text(), /Harbour office.*ended/s)
  t.equal(await whoAmI(), 401)
})

t.test('the guide shows the code as it is tried here', async t => {
  const shown = readFileSync(join(packageFolder, 'docs/keys.md'), 'utf8')
  for (const [file, end] of [
    ['test/bin/openid/handlers/sign-in.ts', '/** Who is'],
    ['test/bin/openid/handlers/keys.ts', undefined],
    ['test/bin/openid/handlers/pages/keys.tsx', undefined]
  ] as const) {
    const [written = ''] = readFileSync(join(packageFolder, file), 'utf8').split(end ?? /$(?!.)/s)
    t.ok(shown.includes(written.trim().replaceAll(/^(?=.)/gm, '    ')), file)
  }
})
