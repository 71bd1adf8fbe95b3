import t, { type Test } from 'tap'
import { Type } from '../../../core/canonical/type.ts'
import { defineHandler } from '../../../bin/door/handler.ts'
import { reply } from '../../../core/handler/handler.ts'
import { createClientAddress, readNetwork } from '../../../core/http/client.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'

const note = defineHandler({
  body: { schema: Type.Object({}, { additionalProperties: false }), limitBytes: 100 },
  reply: Type.Object({ done: Type.Boolean() }),
  handle: () => reply({ done: true }, { status: 201 })
})
const seen = defineHandler({ reply: Type.Object({ seen: Type.Boolean() }), handle: () => reply({ seen: true }) })

/** Requests of clients whom a trusted proxy names. */
async function serveNotes(t: Test, enforced: boolean, access = 'public') {
  const more = 'method: POST\nexamples: [{ title: One, body: {}, expect: { status: 201 } }]'
  const generation = handlerGeneration(
    t,
    {
      'note.post': { path: '/api/v1/note', more, handler: note, access },
      note: { path: '/api/v1/note', more: '', handler: seen }
    },
    {
      rate_policy: {
        limit: 3,
        window_seconds: 3600,
        summary: 'Three an hour.',
        classes: [{ caller: 'public', requests_per_minute: null, counted_by: 'client address', enforced, note: '' }],
        polite_behaviours: []
      }
    }
  )
  const proxy = readNetwork('127.0.0.1')
  const { get } = await serveGeneration(t, generation, {
    clientAddress: createClientAddress(proxy === undefined ? [] : [proxy])
  })
  return async (method: 'GET' | 'POST', client: string) => {
    const answer = await get('/api/v1/note', {
      method,
      headers: { 'x-forwarded-for': client, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
      ...(method === 'POST' ? { body: '{}' } : {})
    })
    const { error } = (await answer.json()) as Readonly<{ error?: Readonly<{ code: string }> }>
    const field = (name: string): string | null => answer.headers.get(name)
    return {
      status: answer.status,
      remaining: field('ratelimit-remaining'),
      limit: field('ratelimit-limit'),
      policy: field('ratelimit-policy'),
      reset: Number(field('ratelimit-reset')),
      retryAfter: field('retry-after'),
      code: error?.code
    }
  }
}

for (const access of ['public', '[public, user]'])
  t.test(`who writes more than the limit without a credential is refused: ${access}`, async t => {
    const send = await serveNotes(t, true, access)
    for (const remaining of ['2', '1', '0'])
      t.match(await send('POST', '203.0.113.1'), { status: 201, remaining, limit: '3', policy: '3;w=3600' })
    const refused = await send('POST', '203.0.113.1')
    t.match(refused, { status: 429, code: 'RATE_LIMITED', remaining: '0', limit: '3', policy: '3;w=3600' })
    t.equal(refused.retryAfter, String(refused.reset), 'and may come back when the window ends')
    t.ok(refused.reset > 0 && refused.reset <= 3600)
    t.match(await send('POST', '203.0.113.2'), { status: 201, remaining: '2' }, 'another client is not')
  })

t.test('who reads is never refused, and reading uses up nothing', async t => {
  const send = await serveNotes(t, true)
  for (let times = 0; times < 6; times += 1) t.match(await send('GET', '203.0.113.1'), { status: 200 })
  t.match(await send('POST', '203.0.113.1'), { status: 201, remaining: '2' })
  for (let times = 0; times < 5; times += 1) await send('POST', '203.0.113.1')
  t.match(await send('POST', '203.0.113.1'), { status: 429 })
  t.match(await send('GET', '203.0.113.1'), { status: 200 })
})

t.test('a network of IPv6 is one client', async t => {
  const send = await serveNotes(t, true)
  for (const end of ['1', '2', '3']) t.match(await send('POST', `2001:db8::${end}`), { status: 201 })
  t.match(await send('POST', '2001:db8::ffff:4'), { status: 429 })
  t.match(await send('POST', '2001:db8:0:1::1'), { status: 201 })
})

t.test('a limit that is advice refuses nobody', async t => {
  const send = await serveNotes(t, false)
  for (let times = 0; times < 8; times += 1) t.match(await send('POST', '203.0.113.1'), { status: 201 })
})
