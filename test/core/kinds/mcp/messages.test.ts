import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn } from '../../../support/command-line.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'

const root = libraryIn(t.testdir())
writeFileSync(
  join(root, 'manifests/tools.post.yaml'),
  `kind: mcp
path: /api/v1/tools-of-the-library
method: POST
summary: The surfaces of the library as tools.
tags: [library]
access: public
carries_pii: false
requires_consent: false
freshness: directory
license: CC0-1.0
sources: [self]
provenance: computed
since: 2026-11-20
contract: bare
agent: never
instructions: Books of one library.
resources: { books: /api/v1/library/books }
examples:
  - { title: The tools, body: { jsonrpc: '2.0', id: 1, method: tools/list } }
`
)
appendFileSync(
  join(root, 'manifests/service.yaml'),
  'cors: { origins: ["https://app.example.org"] }\nlanguages: [en, de]\n'
)
const { get } = await serveGeneration(t, await generationOf(t, [root]))

async function send(body: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await get('/api/v1/tools-of-the-library', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers }
  })
  const text = await response.text()
  return { status: response.status, answer: text === '' ? undefined : (JSON.parse(text) as unknown) }
}

const ask = (id: number, method = 'tools/list') => ({ jsonrpc: '2.0', id, method })
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

t.test('what is not JSON is a parse error, and a value that is no message an invalid request', async t => {
  for (const text of ['', '{', '{"id":1,"id":2}', '[1,]', '\ufeff{}'])
    t.match(await send(text), { status: 400, answer: { jsonrpc: '2.0', id: null, error: { code: -32_700 } } }, text)
  for (const text of ['1', '"x"', 'null', 'true'])
    t.match(await send(text), { status: 400, answer: { jsonrpc: '2.0', id: null, error: { code: -32_600 } } }, text)
  t.match(
    await send('{}', { 'Content-Type': 'text/plain' }),
    { status: 415, answer: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } },
    'what is no matter of the protocol is answered as everywhere'
  )
  t.match(await send(JSON.stringify(ask(7))), { status: 200, answer: { id: 7, result: { tools: Array } } })
})

t.test('each message of a list is answered, in order, and a notification is not', async t => {
  const { status, answer } = await send(JSON.stringify([ask(1), notification, 5, ask(2, 'initialize'), ask(3)]))
  t.equal(status, 200)
  t.match(answer, [
    { id: 1, result: { tools: Array } },
    { id: null, error: { code: -32_600 } },
    { id: 2, error: { code: -32_600, message: /alone/ } },
    { id: 3, result: { tools: Array } }
  ])
  t.equal((answer as unknown[]).length, 4)
  t.match(await send(JSON.stringify([ask(1)])), { status: 200, answer: [{ id: 1 }] }, 'a list of one is a list')
  t.strictSame(await send(JSON.stringify([notification])), { status: 202, answer: undefined })
})

t.test('a list that is empty, too long, or of a version without lists is an invalid request', async t => {
  const refused = (message: RegExp) => ({ status: 400, answer: { id: null, error: { code: -32_600, message } } })
  t.match(await send('[]'), refused(/1 to 20/))
  t.match(await send(JSON.stringify(Array.from({ length: 21 }, (_, id) => ask(id)))), refused(/has 21/))
  t.match(
    await send(JSON.stringify([ask(1)]), { 'Mcp-Protocol-Version': '2025-06-18' }),
    refused(/2025-06-18 of the protocol has no lists/)
  )
  t.match(await send(JSON.stringify([ask(1)]), { 'Mcp-Protocol-Version': '2025-03-26' }), { status: 200 })
})

t.test('a page of another site may use the endpoint if the service lists its origin', async t => {
  const message = JSON.stringify(ask(1))
  t.match(await send(message, { Origin: 'https://app.example.org' }), { status: 200 })
  for (const origin of ['https://evil.example', 'null'])
    t.match(await send(message, { Origin: origin }), { status: 403 })
})

t.test('below a path, resources have the addresses that are served', async t => {
  const under = await serveGeneration(t, await generationOf(t, [root], { baseUrl: 'http://127.0.0.1:8080/pantry' }))
  const uri = 'http://127.0.0.1:8080/pantry/api/v1/library/books'
  for (const [method, params, result] of [
    ['resources/list', {}, { resources: [{ name: 'books', uri }] }],
    ['resources/read', { uri }, { contents: [{ uri, text: /"endpoint":"\/pantry\/api/ }] }]
  ] as const) {
    const answer = await under.get('/pantry/api/v1/tools-of-the-library', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      headers: { 'Content-Type': 'application/json' }
    })
    t.match(await answer.json(), { result })
  }
})

t.test('what is wrong is said in the language of the caller, also by the surface of a tool', async t => {
  const german = { 'Accept-Language': 'de' }
  const call = (name: string, args: object) => ({ ...ask(1, 'tools/call'), params: { name, arguments: args } })
  const messageIn = async (message: unknown, headers = {}) => {
    const { answer } = await send(typeof message === 'string' ? message : JSON.stringify(message), headers)
    const { error, result } = answer as { error?: { message: string }; result?: { content: { text: string }[] } }
    return (
      error?.message ?? (JSON.parse(result?.content[0]?.text ?? '') as { error: { message: string } }).error.message
    )
  }
  const cases: [message: unknown, english: string, german: string][] = [
    ['{', 'Expected a name in double quotes.', 'Hier fehlt ein Name in Anführungszeichen.'],
    ['{"id":1,"id":2}', 'The name "id" occurs twice in an object.', 'Der Name "id" kommt in einem Objekt zweimal vor.'],
    ['1', 'A message is a JSON object', 'Eine Nachricht ist ein JSON-Objekt'],
    [call('nothing', {}), 'There is no tool nothing.', 'Es gibt kein Werkzeug nothing.'],
    [call('describe_surface', { name: 'x' }), 'There is no surface `x`.', 'Es gibt keine Schnittstelle `x`.'],
    [
      call('call_surface', { name: 'get_books', arguments: { limit: 'many' } }),
      '`limit` must be an integer',
      '`limit` muss eine ganze Zahl'
    ]
  ]
  for (const [message, plain, translated] of cases) {
    t.match(await messageIn(message), plain)
    t.match(await messageIn(message, german), translated)
  }
})
