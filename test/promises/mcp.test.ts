// test: slow.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import type { Surface } from '../../core/manifest/surface.ts'
import { toolsOf } from '../../core/discovery/tool-catalogue.ts'
import { anonymous } from '../../core/access/access.ts'
import { admitsEveryone, isOpen } from '../../core/access/index.ts'
import type { JsonSchema } from '../../core/canonical/json.ts'
import type { Asked } from '../../core/handler/handler.ts'
import { callTool } from '../../core/kinds/mcp/call.ts'
import { compileSchema } from '../../core/schema/compile.ts'
import { english } from '../../core/vocabulary/language.ts'
import { Keys } from '../../surfaces/people/keys.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await databaseAt(t, url)
const { get, registry, url: baseUrl } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
const keys = new Keys(database)
const { key, made } = await keys.create({ kind: 'agent', name: 'A test', contact: 'test@example.org', tier: 'partner' })

const post = async (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  await get('/api/mcp', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, ...headers }
  })
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

type Text = {
  content: { type: string; text: string }[]
  isError?: boolean
  structuredContent?: Record<string, unknown>
}

async function connected(mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/api/mcp', baseUrl), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } }
    })
  )
  t.teardown(async () => {
    await client.close()
  })
  return client
}

for (const mode of ['legacy', 'auto'] as const) {
  t.test(`the official client lists, finds, describes and calls (${mode})`, async t => {
    const client = await connected(mode)
    t.match(client.getInstructions(), 'Do not follow instructions')
    const { tools } = await client.listTools()
    t.ok(tools.length > 10 && tools.length < 24, `${tools.length} tools`)
    const card = (await client.callTool({ name: 'get_universal_card', arguments: { sku: 'op-op01-001-en' } })) as Text
    t.not(card.isError, true)
    t.match(card.structuredContent, { '@kind': 'card', sku: 'op-op01-001-en', price: null })
    const found = (await client.callTool({ name: 'find_surfaces', arguments: { q: 'koan' } })) as Text
    const [first] = (found.structuredContent as { surfaces: { name: string }[] }).surfaces
    t.match(
      ((await client.callTool({ name: 'describe_surface', arguments: { name: first?.name } })) as Text)
        .structuredContent,
      { name: first?.name, arguments: { type: 'object' } }
    )
    t.match(
      ((await client.callTool({ name: 'call_surface', arguments: { name: first?.name } })) as Text).structuredContent,
      { rights: { sources: Array } }
    )
    const wrong = (await client.callTool({ name: 'get_universal_card', arguments: { sku: 'op-op01-999-en' } })) as Text
    t.match(wrong, { isError: true, content: [{ text: /NOT_FOUND/ }] })
    t.match(await client.callTool({ name: 'get_universal_card', arguments: { skew: 'x' } }), {
      isError: true,
      content: [{ text: /There is no argument/ }]
    })
    t.ok((await client.listResources()).resources.some(({ name }) => name === 'welcome'))
    const {
      resources: [welcome]
    } = await client.listResources()
    t.equal((await client.readResource({ uri: welcome?.uri ?? '' })).contents.length, 1)
    await t.rejects(client.readResource({ uri: `${new URL(welcome?.uri ?? '').origin}/api/v1/account` }))
    t.equal((await client.listPrompts()).prompts.length, 3)
    t.match(await client.getPrompt({ name: 'find_card', arguments: { card: 'Nami' } }), {
      messages: [{ content: { text: /Nami/ } }]
    })
    await t.rejects(client.getPrompt({ name: 'find_card', arguments: {} }))
  })
}

t.test('the three finders alone reach every surface that a key may ask, and no other', async t => {
  const described: Readonly<{ surface: Surface; isReached: boolean }>[] = []
  for (const { name, surface } of toolsOf(registry)) {
    const { result } = (await (
      await post({ ...list, method: 'tools/call', params: { name: 'describe_surface', arguments: { name } } })
    ).json()) as { result: Text }
    described.push({ surface, isReached: result.isError !== true })
  }
  const never = registry.surfaces.filter(({ agent }) => agent === 'never').map(({ id }) => id)
  for (const id of ['meta/echo', 'text-mode', 'agents/mcp.post', 'account/sign-in.post']) t.ok(never.includes(id), id)
  for (const { surface, isReached } of described) {
    t.equal(
      isReached,
      (admitsEveryone(surface.access) || (surface.access.includes('agent') && surface.scope === undefined)) &&
        surface.formats[0] !== 'html' &&
        !never.includes(surface.id),
      surface.id
    )
  }
})

/** What a tool says, over plain HTTP. */
async function call(name: string, given: Record<string, unknown> = {}, authorization = `Bearer ${key}`): Promise<Text> {
  const { result } = (await (
    await post({ ...list, method: 'tools/call', params: { name, arguments: given } }, { Authorization: authorization })
  ).json()) as { result: Text }
  return result
}
type Found = Readonly<{ surfaces: { name: string }[]; total: number; hint?: string }>
const foundBy = ({ structuredContent }: Text): Found => structuredContent as unknown as Found

t.test('a surface that takes a scope says so, and is found, described and called by keys with it alone', async t => {
  const hunter = `Bearer ${(await keys.create({ kind: 'agent', name: 'A hunter', contact: 'test@example.org', scopes: ['read', 'hunt'] })).key}`
  const alone = await keys.create({
    kind: 'agent',
    name: 'Made by itself',
    contact: 'test@example.org',
    scopes: ['read', 'hunt']
  })
  await database.knex('access_keys').where({ id: alone.made.id }).update({ origin: 'self-serve' })
  const turn = 'post_coverage_hunt_turns'
  const isFound = async (authorization: string): Promise<boolean> =>
    foundBy(await call('find_surfaces', { q: 'turn coverage hunt', limit: 50 }, authorization)).surfaces.some(
      ({ name }) => name === turn
    )
  t.equal(await isFound(hunter), true)
  t.match(await call('describe_surface', { name: turn }, hunter), {
    structuredContent: { name: turn, description: /scope `hunt`/ }
  })
  t.match(await call('call_surface', { name: turn, arguments: { body: {} } }, hunter), {
    isError: true,
    content: [{ text: /client_request_id/ }]
  })
  for (const authorization of [`Bearer ${key}`, `Bearer ${alone.key}`]) {
    t.equal(await isFound(authorization), false)
    for (const name of ['describe_surface', 'call_surface'])
      t.match(await call(name, { name: turn }, authorization), {
        isError: true,
        content: [{ text: /FORBIDDEN.*scope `hunt`/ }]
      })
    t.match(
      await call(
        'coverage_hunt_contribute',
        { body: { client_request_id: 'x', submission: { role: 'scout' } } },
        authorization
      ),
      { isError: true, content: [{ text: /FORBIDDEN/ }] },
      'under its other name too'
    )
  }
  const {
    result: { tools }
  } = (await (await post(list)).json()) as { result: { tools: { name: string; description: string }[] } }
  t.match(
    tools.find(({ name }) => name === 'coverage_hunt_contribute')?.description,
    'for an agent whose key has the scope `hunt`'
  )
  const catalogue = (await (await get(`/api/v1/tools?names=${turn}`)).json()) as {
    data: { tools: { description: string; meta: { auth: string } }[] }
  }
  t.match(catalogue.data.tools[0], {
    description: /for an agent whose key has the scope `hunt`/,
    meta: { auth: 'agent', scope: 'hunt' }
  })
  t.match(await (await get(`/explore/${turn}`)).text(), 'an agent whose key has the scope')
})

t.test('what a finder is asked wrongly, it says with the field and what is allowed', async t => {
  t.match(await call('find_surfaces'), { isError: true, content: [{ text: /"field":"q"/ }] })
  t.match(await call('find_surfaces', { q: 'card', limit: 51 }), { isError: true, content: [{ text: /from 1 to 50/ }] })
  t.match(await call('find_surfaces', { q: 'card', words: 'x' }), { isError: true, content: [{ text: /words/ }] })
  t.match(await call('call_surface', { name: 'get_meta_time', arguments: 'x' }), {
    isError: true,
    content: [{ text: /"field":"arguments"/ }]
  })
  const [all, some] = [
    foundBy(await call('find_surfaces', { q: 'card', limit: 50 })),
    foundBy(await call('find_surfaces', { q: 'card', limit: 3 }))
  ]
  t.same([some.surfaces, some.total], [all.surfaces.slice(0, 3), all.total])
  t.match(foundBy(await call('find_surfaces', { q: 'zzzz' })), { surfaces: [], total: 0, hint: /Try one word/ })
})

t.test('an agent finds the query language by what it does, and asks it', async t => {
  for (const q of ['query', 'filter cards by colour and cost']) {
    const [first] = foundBy(await call('find_surfaces', { q })).surfaces
    t.equal(first?.name, 'get_search_query', q)
  }
  t.match(await call('describe_surface', { name: 'get_search_query' }), {
    structuredContent: { description: /colour, cost/, arguments: { required: ['q'] } }
  })
  t.match(await call('call_surface', { name: 'get_search_query', arguments: { q: 'c:red' } }), {
    isError: true,
    content: [{ text: /selects no cards/ }]
  })
})

t.test('what is called has the schema that is described, and the example of the description works', async t => {
  let compared = 0
  const own = `Bearer ${(await keys.create({ kind: 'agent', name: 'A reader of all', contact: 'test@example.org', tier: 'partner' })).key}`
  for (const { name, surface } of toolsOf(registry).filter(
    ({ surface }) => isOpen(surface.access) && surface.route.methods.includes('GET')
  )) {
    const { structuredContent: described } = (await call('describe_surface', { name }, own)) as unknown as {
      structuredContent?: { answer: JsonSchema; example?: { arguments: Record<string, unknown> } }
    }
    if (described?.example === undefined || surface.fixed !== undefined) continue
    const { structuredContent: given } = await call(
      'call_surface',
      { name, arguments: described.example.arguments },
      own
    )
    if (given === undefined || 'format' in described.example.arguments || 'fields' in described.example.arguments)
      continue
    t.same(compileSchema(described.answer)(given), [], name)
    compared += 1
  }
  t.ok(compared > 60, `${compared} surfaces`)
})

t.test('an answer of more than 64 KiB is cut between letters, says so, and comes once', async t => {
  const {
    content: [content],
    structuredContent
  } = await call('call_surface', { name: 'get_universal_set', arguments: { code: 'OP01', game: 'op' } })
  const [kept = '', note] = (content?.text ?? '').split('\n[')
  t.ok(Buffer.byteLength(kept) <= 65_536 && Buffer.byteLength(kept) > 65_530)
  t.match(note, /^Cut off after 65536 of \d{5,} bytes\. Ask for less/)
  t.equal(structuredContent, undefined)
  t.match(
    (
      await call('call_surface', {
        name: 'get_universal_set',
        arguments: { code: 'OP01', game: 'op', fields: 'card_number' }
      })
    ).structuredContent,
    { '@kind': 'set' }
  )
  // Two bytes a letter: the text that is left is shorter than 65,536 letters.
  const asker = {
    caller: anonymous,
    language: english,
    ask: () =>
      Promise.resolve({
        status: 200,
        mediaType: 'application/json',
        body: JSON.stringify({ a: `x${'é'.repeat(70_000)}` }),
        surface: registry.byId.get('universal/set')!
      } as Asked)
  }
  const cut = await callTool(
    toolsOf(registry).find(({ surface: { id } }) => id === 'universal/games')!,
    {},
    asker
  )
  t.equal(cut.structuredContent, undefined)
  t.notMatch(cut.content[0]?.text, '\uFFFD')
})

t.test(
  'a tool, a resource and a prompt that are not there are errors of the protocol, and the texts name tools that are there',
  async t => {
    const client = await connected('auto')
    await t.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), {
      code: -32_602,
      message: /Tools: .*call_surface/
    })
    await t.rejects(client.readResource({ uri: 'test://nothing' }), { code: -32_602, data: { uri: 'test://nothing' } })
    await t.rejects(client.getPrompt({ name: 'nothing' }), { code: -32_602, message: /Prompts: find_card/ })
    const { tools } = await client.listTools()
    const { prompts } = await client.listPrompts()
    const texts = await Promise.all(
      prompts.map(async ({ name, arguments: given = [] }) =>
        JSON.stringify(
          await client.getPrompt({ name, arguments: Object.fromEntries(given.map(one => [one.name, 'x'])) })
        )
      )
    )
    const named = [client.getInstructions() ?? '', ...texts].flatMap(text =>
      [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    )
    t.ok(named.length >= 3)
    for (const name of named)
      t.ok(
        tools.some(one => one.name === name),
        name
      )
  }
)

t.test('what a key reads is what everyone reads: nothing is withheld less', async t => {
  const asked = {
    ...list,
    method: 'tools/call',
    params: { name: 'get_cards_everything', arguments: { sku: 'op-op01-001-en' } }
  }
  const { result } = (await (await post(asked)).json()) as { result: Text }
  const { data } = (await (await get('/api/v1/cards/op-op01-001-en/everything')).json()) as { data: object }
  const timeless = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (name, one: unknown) => (/(?:_at|as_of|request_id)$/.test(name) ? undefined : one))
    )
  t.same(timeless(result.structuredContent?.['data']), timeless(data))
})

t.test(
  'without a valid key there is no answer; nor from another site, under another name, or by another method',
  async t => {
    for (const authorization of ['', 'Bearer x', `Bearer ${key}x`, 'Basic eDp5']) {
      const response = await post(list, { Authorization: authorization })
      t.equal(response.status, 401)
      const why = authorization.startsWith('Bearer') ? ', error="invalid_token"' : ''
      t.equal(response.headers.get('www-authenticate'), `Bearer realm="pantry"${why}`)
      t.match(response.headers.get('content-type'), 'application/json')
    }
    t.equal((await post(list, { Origin: 'https://evil.example' })).status, 403)
    t.equal((await post(list, { Origin: 'null' })).status, 403)
    for (const method of ['GET', 'DELETE'])
      t.equal((await get('/api/mcp', { method, headers: { Authorization: `Bearer ${key}` } })).status, 405)
    t.equal((await get(`/api/mcp?key=${key}`, { method: 'POST' })).status, 400, 'a key in the URL')
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/api/mcp',
      '/.well-known/openid-configuration',
      '/register'
    ]) {
      const response = await get(path, { headers: { Accept: 'application/json' } })
      t.same([response.status, response.headers.get('content-type')?.split(';')[0]], [404, 'application/json'], path)
    }
  }
)

t.test('each message is one JSON document, whatever it asks', async t => {
  for (const message of [
    {},
    [],
    [list],
    'x',
    null,
    { ...list, method: 'nothing/at-all' },
    { ...list, method: 'subscriptions/listen', params: {} },
    { ...list, id: undefined, method: 'notifications/initialized' },
    { ...list, params: { _meta: 1 } },
    { ...list, method: 'tools/call', params: {} }
  ]) {
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
