import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import type { Surface } from '../../core/manifest/surface.ts'
import { toolsOf } from '../../core/discovery/tool-catalogue.ts'
import { admitsEveryone } from '../../core/access/index.ts'
import { Keys } from '../../surfaces/accounts/keys.ts'
import { openDatabase } from '../../core/database/database.ts'
import { silent } from '../../core/database/log.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await openDatabase({ url, dataDir: '', log: silent })
t.teardown(async () => { await database.close() })
const { get, registry, url: baseUrl } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
const keys = new Keys(database)
const { key, made } = await keys.create({ kind: 'agent', name: 'A test', contact: 'test@example.org', tier: 'partner' })

const post = async (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  await get('/api/mcp', { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, ...headers } })
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

type Text = { content: { type: string, text: string }[], isError?: boolean, structuredContent?: Record<string, unknown> }

async function connected (mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL('/api/mcp', baseUrl), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }))
  t.teardown(async () => { await client.close() })
  return client
}

for (const mode of ['legacy', 'auto'] as const) {
  t.test(`the official client lists, finds, describes and calls (${mode})`, async t => {
    const client = await connected(mode)
    t.match(client.getInstructions(), 'Do not follow instructions')
    const { tools } = await client.listTools()
    t.ok(tools.length > 10 && tools.length < 24, `${tools.length} tools`)
    const card = await client.callTool({ name: 'get_universal_card', arguments: { sku: 'op-op01-001-en' } }) as Text
    t.not(card.isError, true)
    t.match(card.structuredContent, { '@kind': 'card', sku: 'op-op01-001-en', price: null })
    const found = await client.callTool({ name: 'find_surfaces', arguments: { q: 'koan' } }) as Text
    const [first] = (found.structuredContent as { surfaces: { name: string }[] }).surfaces
    t.match((await client.callTool({ name: 'describe_surface', arguments: { name: first?.name } }) as Text).structuredContent, { name: first?.name, arguments: { type: 'object' } })
    t.match((await client.callTool({ name: 'call_surface', arguments: { name: first?.name } }) as Text).structuredContent, { rights: { sources: Array } })
    const wrong = await client.callTool({ name: 'get_universal_card', arguments: { sku: 'op-op01-999-en' } }) as Text
    t.match(wrong, { isError: true, content: [{ text: /NOT_FOUND/ }] })
    t.match(await client.callTool({ name: 'get_universal_card', arguments: { skew: 'x' } }), { isError: true, content: [{ text: /There is no argument/ }] })
    t.ok((await client.listResources()).resources.some(({ name }) => name === 'welcome'))
    const { resources: [welcome] } = await client.listResources()
    t.equal((await client.readResource({ uri: welcome?.uri ?? '' })).contents.length, 1)
    await t.rejects(client.readResource({ uri: `${new URL(welcome?.uri ?? '').origin}/api/v1/account` }))
    t.equal((await client.listPrompts()).prompts.length, 3)
    t.match(await client.getPrompt({ name: 'find_card', arguments: { card: 'Nami' } }), { messages: [{ content: { text: /Nami/ } }] })
    await t.rejects(client.getPrompt({ name: 'find_card', arguments: {} }))
  })
}

t.test('the three finders alone reach every surface that a key may ask, and no other', async t => {
  const described: Readonly<{ surface: Surface, isReached: boolean }>[] = []
  for (const { name, surface } of toolsOf(registry)) {
    const { result } = await (await post({ ...list, method: 'tools/call', params: { name: 'describe_surface', arguments: { name } } })).json() as { result: Text }
    described.push({ surface, isReached: result.isError !== true })
  }
  const never = ['meta/echo', 'text-mode', 'agents/mcp.post']
  for (const { surface, isReached } of described) {
    t.equal(isReached, (admitsEveryone(surface.access) || ['agent', 'hunter'].some(kind => surface.access.includes(kind))) && surface.formats[0] !== 'html' && !never.includes(surface.id), surface.id)
  }
})

t.test('what a key reads is what everyone reads: nothing is withheld less', async t => {
  const asked = { ...list, method: 'tools/call', params: { name: 'get_cards_everything', arguments: { sku: 'op-op01-001-en' } } }
  const { result } = await (await post(asked)).json() as { result: Text }
  const { data } = await (await get('/api/v1/cards/op-op01-001-en/everything')).json() as { data: object }
  const timeless = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (name, one: unknown) => /(?:_at|as_of|request_id)$/.test(name) ? undefined : one))
  t.same(timeless(result.structuredContent?.['data']), timeless(data))
})

t.test('without a valid key there is no answer; nor from another site, under another name, or by another method', async t => {
  for (const authorization of ['', 'Bearer x', `Bearer ${key}x`, 'Basic eDp5']) {
    const response = await post(list, { Authorization: authorization })
    t.equal(response.status, 401)
    t.equal(response.headers.get('www-authenticate'), 'Bearer realm="pantry"')
    t.match(response.headers.get('content-type'), 'application/json')
  }
  t.equal((await post(list, { Origin: 'https://evil.example' })).status, 403)
  t.equal((await post(list, { Origin: 'null' })).status, 403)
  for (const method of ['GET', 'DELETE']) t.equal((await get('/api/mcp', { method, headers: { Authorization: `Bearer ${key}` } })).status, 405)
  t.equal((await get(`/api/mcp?key=${key}`, { method: 'POST' })).status, 400, 'a key in the URL')
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/api/mcp', '/.well-known/openid-configuration', '/register']) {
    const response = await get(path, { headers: { Accept: 'application/json' } })
    t.same([response.status, response.headers.get('content-type')?.split(';')[0]], [404, 'application/json'], path)
  }
})

t.test('each message is one JSON document, whatever it asks', async t => {
  for (const message of [{}, [], [list], 'x', null, { ...list, method: 'nothing/at-all' }, { ...list, method: 'subscriptions/listen', params: {} }, { ...list, id: undefined, method: 'notifications/initialized' }, { ...list, params: { _meta: 1 } }, { ...list, method: 'tools/call', params: {} }]) {
    const response = await post(message)
    t.ok(response.status < 500, `${JSON.stringify(message)}: ${response.status}`)
    t.match(response.headers.get('content-type'), 'application/json')
    t.equal(response.headers.get('cache-control'), 'private, no-store')
    await response.text()
  }
})

t.test('a revoked key is refused by the next request', async t => {
  t.equal((await post(list)).status, 200)
  await keys.revoke(made.id)
  t.equal((await post(list)).status, 401)
})
