import t from 'tap'
import { library, pantry, type Outcome } from '../support/command-line.ts'

const show = (...args: string[]): Promise<Outcome> => pantry(['show', '--root', library, ...args])

t.test('the compiled form of a surface', async t => {
  const { code, stdout } = await show('books')
  t.equal(code, 0)
  t.match(stdout, /^books {2}GET \/api\/v1\/library\/books\nBooks on the shelves, newest first\.\n/)
  t.match(stdout, /freshness +catalog \(86400 s\)/)
  t.match(stdout, /manifest +test\/fixture\/library\/manifests\/books\.yaml:\d+/)
  t.match(stdout, /genre +query +optional +novel \| essay \| science/)
  t.match(stdout, /limit +query +optional +integer, minimum 1, maximum 50/)
  t.match(stdout, /Answer to GET \/api\/v1\/library\/books\?genre=novel: 200/)
  t.match(stdout, /Cache-Control +public, max-age=/)
  t.notMatch(stdout, /X-Request-Id +req_/, 'headers that differ between answers are left out')
})

t.test('its entries in the discovery documents', async t => {
  const shown = JSON.parse((await show('books', '--format', 'json')).stdout) as Record<string, unknown>
  t.match(shown, {
    surface: { id: 'books', kind: 'collection' },
    parameters: [{ name: 'genre', in: 'query', required: false }],
    sample: { status: 200, headers: { 'X-Content-License': 'CC0-1.0' } },
    discovery: {
      manifest: { id: 'books', path: '/api/v1/library/books' },
      status: { id: 'books', contract_state: 'envelope' },
      tools: { name: 'get_books', path_template: '/api/v1/library/books' },
      openapi: { get: { operationId: 'get_books' } },
      graph: { node: { id: 'resource:books' } }
    }
  })
})

t.test('a surface is found by its path, and by a path that it answers', async t => {
  t.match((await show('/api/v1/library/loans')).stdout, /^loans {2}GET\|POST /)
  t.match((await show('/api/v1/library/books/9780451529060')).stdout, /^book {2}GET /)
  t.match((await show('reading-note.post')).stdout, /body +body +required +object/)
})

t.test('what is not there is 2, with the nearest name', async t => {
  t.match(await show('boks'), {
    code: 2,
    stdout: '',
    stderr: /There is no surface `boks`. Did you mean `book`\?|`books`/
  })
  t.match(await show('/api/v2/nothing/at/all'), { code: 2, stderr: /pantry list --format names/ })
})
