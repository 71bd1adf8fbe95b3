import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { tryClaims } from '../../../bin/promises/claims.ts'
import { readClaims } from '../../../core/registry/claims.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { library, registryOf } from '../../support/registry.ts'

const { registry } = await registryOf([library])
const book = 'corpora/books/9780141439518'

/** What is found in one file of claims. */
function read(file: string, text: string): ReturnType<typeof readClaims> {
  const folder = scratchFolder(t)
  const path = join(folder, 'claims', file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return readClaims(registry, [{ folder }])
}
const found = (file: string, text: string): unknown =>
  read(file, text).diagnostics.map(({ code, message, span }) => `${code} ${span.line} ${message}`)

t.test('a claim is about words of the text at its place, and asks what is served', t => {
  const request = 'path: /api/v1/library/books'
  t.same(
    found(`${book}.yaml`, `- { says: 'Austen', ${request} }\n- { says: three volumes, ${request}, lacks: [/error] }`),
    []
  )
  t.same(found('manifests/books.yaml', `- { says: newest first, ${request}?genre=novel }`), [])
  t.same(found('manifests/service.yaml', `- { says: River Street Library, ${request} }`), [])
  t.same(found('corpora/books/none.yaml', '[]'), ['X201 1 The service has no text `corpora/books/none`.'])
  t.match(found(`${book}.txt`, ''), [/^X201 /], 'another ending')
  const wrong: Readonly<Record<string, RegExp>> = {
    [`{ says: Emma, ${request} }`]: /^X202 1 The text does not say this\.$/,
    [`{ ${request} }`]: /^X202 1 A claim names words of the text as `says`\.$/,
    '{ runs: /pages }': /^X202 1 The text has no command at this place\.$/,
    '{ says: Austen }': /^X203 1 A claim has one of `path` and `runs`/,
    '{ says: Austen, path: /api/v1/library/bookz }': /^X203 1 No surface has this path\.$/,
    [`{ says: Austen, as: reader, ${request} }`]: /^X203 1 There is no access kind `reader`\.$/,
    '{ says: Austen, path: /api/v1/library/books/$ISBN }': /^X203 1 No earlier claim keeps `\$ISBN`\.$/,
    [`{ says: Austen, ${request}, show: { /data: 1 } }`]: /^M203 1 /,
    [`{ says: Austen, ${request}, status: ok }`]: /^M205 1 /
  }
  for (const [claim, expected] of Object.entries(wrong)) t.match(found(`${book}.yaml`, `- ${claim}`), [expected], claim)
  t.same(
    found(`${book}.yaml`, '- { says: Austen, path: /no/such/path, status: 404 }'),
    [],
    'what is not there may be asked'
  )
  t.end()
})

t.test('a part of a claim that nothing makes false is refused', t => {
  const request = 'says: Austen, path: /api/v1/library/books'
  const idle: Readonly<Record<string, RegExp>> = {
    '- { says: Austen, path: "/no such/path", status: 404 }': /^X205 1 No surface can have this path\.$/,
    '- { runs: /author }': /^X205 1 The command asks nothing of the service\.$/,
    [`- { ${request}, lacks: [/data/0, /data/0/isbn] }`]: /^X205 1 There is never anything at \/data\/0\/isbn, because/,
    [`- { ${request}, shows: { /data: null }, lacks: [/data/x] }`]: /^X205 1 There is never anything at \/data\/x/,
    [`- { ${request}, keeps: { ONE: /data/0 } }\n- { ${request}, shows: { /data/0: $ONE } }`]: /^X205 2 \$ONE was kept/
  }
  for (const [claims, expected] of Object.entries(idle)) t.match(found(`${book}.yaml`, claims), [expected], claims)
  const other = `- { ${request}, keeps: { ONE: /data/0 } }\n- { ${request}?genre=novel, shows: { /data/0: $ONE } }`
  t.same(found(`${book}.yaml`, other), [], 'another answer may differ')
  t.end()
})

t.test('claims are tried in order: values are kept, and what is not so has its place', async t => {
  const [text] = read(
    `${book}.yaml`,
    [
      '- { says: Austen, path: /api/v1/library/books, shows: { /data/0/branch: hill-road }, keeps: { ISBN: /data/0/isbn } }',
      '- { says: Austen, method: POST, path: /api/v1/library/books/$ISBN, status: 404, body: { day: $IN_2_DAYS } }',
      '- { says: Austen, as: user, path: /api/v1/library/books, keeps: { SECRET: /data/0/isbn } }',
      '- { says: Austen, path: /api/v1/library/books/$SECRET, status: 404 }',
      '- { says: Austen, path: /api/v1/library/books, shows: { /data/0/isbn: "1" }, lacks: [/data/0] }',
      '- { says: Austen, as: user, method: POST, path: /api/v1/library/books, status: 404 }',
      '- { says: Austen, path: /api/v1/library/books, shows: { /data/1/isbn: "1" } }'
    ].join('\n')
  ).texts
  if (text === undefined) throw new Error('The claims were not read.')
  const asked: string[] = []
  const { broken, untried } = await tryClaims(text, {
    ask: (path, { method, body }) => {
      asked.push(`${method ?? ''} ${path} ${typeof body === 'string' ? body : ''}`)
      return Promise.resolve(
        method === 'POST'
          ? new Response('', { status: 404 })
          : Response.json({ data: [{ isbn: '978', branch: 'hill-road' }] })
      )
    },
    headersOf: () => Promise.resolve(undefined)
  })
  t.match(asked, [
    'GET /api/v1/library/books ',
    /^POST \/api\/v1\/library\/books\/978 \{"day":"\d{4}-\d\d-\d\dT/,
    'GET /api/v1/library/books '
  ])
  t.equal(untried, 4, 'who cannot ask is counted, and what needs the answer or what is written')
  t.same(
    broken.map(({ code, span, message }) => [code, span.line, message]),
    [
      ['X204', 5, '"Austen" (anybody: GET /api/v1/library/books) shows "978" at /data/0/isbn instead of "1"'],
      ['X204', 5, '"Austen" (anybody: GET /api/v1/library/books) has /data/0, which it should lack']
    ]
  )
})

t.test('what is counted is as many, and what is nowhere lacks nothing', async t => {
  const [text] = read(
    `${book}.yaml`,
    '- { says: Austen, path: /api/v1/library/books, counts: { /data: 2, /none: 1 }, lacks: [/dada/isbn, /data/9] }'
  ).texts
  if (text === undefined) throw new Error('The claims were not read.')
  const { broken } = await tryClaims(text, {
    ask: () => Promise.resolve(Response.json({ data: [1] })),
    headersOf: () => Promise.resolve(undefined)
  })
  t.same(
    broken.map(({ message }) => message.replace(/^.*\) /, '')),
    ['has 1 members at /data instead of 2', 'has no members at /none instead of 1', 'has no members at /dada']
  )
})
