import t from 'tap'
import { clientOf, ServiceError } from '../../../bin/client/runtime.ts'
import { serveLibrary } from '../../support/serve-root.ts'

const { url } = await serveLibrary(t)
const asked: [string, Headers][] = []
const client = clientOf(
  { book: ['GET', '/api/v1/library/books/{isbn}', ['isbn'], ['fields', 'lang'], 'application/json'] },
  {
    baseUrl: `${url}/`,
    headers: { 'User-Agent': 'reader/1.0 (reader@library.example)' },
    fetch: (address, init) => {
      asked.push([new Request(address).url.slice(url.length), new Headers(init?.headers)])
      return fetch(address, init)
    }
  }
)

t.test('parameters are escaped where they belong, and one that is not given is not sent', async t => {
  const refused: unknown = await client['book']!({ isbn: '$& a/b?', fields: 'title,author' }).catch(
    (error: unknown) => error
  )
  t.ok(refused instanceof ServiceError)
  t.match(refused, { status: 404, code: 'NOT_FOUND', body: { error: { code: 'NOT_FOUND' } } })
  t.equal(asked.at(-1)?.[0], '/api/v1/library/books/%24%26%20a%2Fb%3F?fields=title%2Cauthor')
})

t.test('headers of a client go with every request, and those of a call win over them', async t => {
  t.type(await client['book']!({ isbn: '9780141439518' }, { headers: { Accept: 'text/html' } }), 'string')
  t.match(Object.fromEntries(asked.at(-1)?.[1] ?? []), {
    accept: 'text/html',
    'user-agent': 'reader/1.0 (reader@library.example)'
  })
})

t.test('what the caller aborts ends as fetch ends', async t => {
  await t.rejects(client['book']!({ isbn: '9780141439518' }, { signal: AbortSignal.abort() }), { name: 'AbortError' })
})

t.test('a value that would make another path is not sent', async t => {
  const before = asked.length
  for (const input of [{}, { isbn: '' }, { isbn: '.' }, { isbn: '..' }])
    await t.rejects(client['book']!(input), { name: 'TypeError', message: /`isbn`/ }, JSON.stringify(input))
  t.equal(asked.length, before)
})

t.test('an answer without a body is no answer of the promised type', async t => {
  await t.rejects(client['book']!({ isbn: '9780141439518' }, { headers: { 'If-None-Match': '*' } }), {
    name: 'ServiceError',
    status: 304
  })
})
