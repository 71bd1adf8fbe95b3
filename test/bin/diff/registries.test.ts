import t from 'tap'
import type { Change, Impact } from '../../../bin/diff/change.ts'
import { compareRegistries } from '../../../bin/diff/registries.ts'
import { readRegistry } from '../../../bin/read-registry.ts'
import { loadRoots } from '../../../bin/roots.ts'
import type { Surface } from '../../../core/manifest/surface.ts'
import type { Registry } from '../../../core/registry/registry.ts'
import { library } from '../../support/command-line.ts'

const base = readRegistry(await loadRoots([library])).registry
if (base === undefined) throw new Error('The library has errors.')

const surface = (id: string): Surface => base.byId.get(id)!

/** The library with one surface put in place of another, left out, or added. */
const withSurfaces = (change: (surfaces: readonly Surface[]) => readonly Surface[]): Registry => ({
  ...base,
  surfaces: change(base.surfaces)
})
const edited = (id: string, changes: Partial<Surface>): Registry =>
  withSurfaces(surfaces => surfaces.map(one => (one.id === id ? { ...one, ...changes } : one)))

const books = surface('books')
const loans = surface('loans')
const note = surface('reading-note.post')
if (note.input.body === undefined) throw new Error('The library has changed.')

type Case = readonly [name: string, head: Registry, impact: Impact, subject: string, message: RegExp]
const books1 = 'GET /api/v1/library/books'

const cases: readonly Case[] = [
  [
    'a surface is gone',
    withSurfaces(all => all.filter(({ id }) => id !== 'books')),
    'breaking',
    books1,
    /no longer served/
  ],
  [
    'a surface is new',
    withSurfaces(all => [...all, { ...books, id: 'new', route: { ...books.route, path: '/new' } }]),
    'additive',
    'GET /new',
    /is new/
  ],
  [
    'a method is gone',
    edited('loans', { route: { ...loans.route, methods: ['GET'] } }),
    'breaking',
    'POST /api/v1/library/loans',
    /no longer served/
  ],
  ['an id changes', edited('books', { id: 'shelf' }), 'breaking', books1, /name .* from books to shelf/],
  ['access closes', edited('books', { access: ['user'] }), 'breaking', books1, /access changes from public to user/],
  [
    'access opens',
    edited('books', { access: ['user', 'public'] }),
    'additive',
    books1,
    /access changes from public to public or user/
  ],
  [
    'a license closes',
    edited('books', { license: 'NOASSERTION' }),
    'breaking',
    books1,
    /license changes from CC0-1.0 to NOASSERTION/
  ],
  [
    'a license opens',
    edited('reading-note.post', { license: 'CC0-1.0' }),
    'additive',
    'POST /api/v1/library/reading-note',
    /license changes/
  ],
  [
    'the contract changes',
    edited('books', { contract: 'bare' }),
    'breaking',
    books1,
    /contract changes from envelope to bare/
  ],
  [
    'a surface becomes strict',
    edited('books', { strict: true }),
    'breaking',
    books1,
    /undeclared query parameters are refused/
  ],
  [
    'a status changes',
    edited('loans', { status: 410 }),
    'breaking',
    'GET /api/v1/library/loans',
    /status changes from 503 to 410/
  ],
  [
    'a pause ends',
    edited('loans', { status: 200 }),
    'additive',
    'GET /api/v1/library/loans',
    /status changes from 503 to 200/
  ],
  [
    'freshness shortens',
    edited('books', { freshness: { key: 'live', seconds: 5 } }),
    'breaking',
    books1,
    /freshness shortens from 86400 to 5 seconds/
  ],
  [
    'a format is gone',
    edited('books', { formats: books.formats.filter(format => format !== 'md') }),
    'breaking',
    books1,
    /format md is gone/
  ],
  [
    'a format is new',
    edited('branches', { formats: ['json', 'md'] }),
    'additive',
    'GET /api/v1/library/branches',
    /format md is new/
  ],
  [
    'the default format changes',
    edited('books', { formats: [...books.formats].reverse() }),
    'breaking',
    books1,
    /default format changes from json/
  ],
  [
    'a parameter is gone',
    edited('books', { input: { ...books.input, query: { type: 'object', properties: {} } } }),
    'breaking',
    books1,
    /query: `genre` is gone/
  ],
  [
    'a body limit is lowered',
    edited('reading-note.post', { input: { ...note.input, body: { ...note.input.body, limitBytes: 10 } } }),
    'breaking',
    'POST /api/v1/library/reading-note',
    /byte limit of the body changes from 4096 to 10/
  ],
  [
    'a body of any content is read',
    edited('reading-note.post', { input: { ...note.input, bytes: { limitBytes: 10 } } }),
    'additive',
    'POST /api/v1/library/reading-note',
    /any content is read/
  ],
  [
    'a file is read',
    edited('reading-note.post', {
      input: { ...note.input, files: { scan: { types: ['image/png'], limitBytes: 10 } } }
    }),
    'additive',
    'POST /api/v1/library/reading-note',
    /a file `scan` is read/
  ],
  [
    'the hash contract changes',
    edited('reading-note.post', { promises: { 'hash contract': { contract: 'x/2', over: ['note'] } } }),
    'breaking',
    'POST /api/v1/library/reading-note',
    /hash contract/
  ],
  [
    'a member of the answer is gone',
    edited('books', { output: { type: 'object', properties: {} } }),
    'breaking',
    books1,
    /answer: `books` is gone/
  ],
  ['a summary changes', edited('books', { summary: 'Books.' }), 'documentation', books1, /summary changes/],
  [
    'the encoding changes',
    { ...base, service: { ...base.service, encoding: 'x/v2' } },
    'breaking',
    'service',
    /encoding changes/
  ],
  [
    'a tier is gone',
    { ...base, service: { ...base.service, tiers: { 'CC0-1.0': base.service.tiers['CC0-1.0']! } } },
    'breaking',
    'service',
    /license tier NOASSERTION is gone/
  ],
  [
    'a contact changes',
    { ...base, service: { ...base.service, contact: { email: 'a@b.example', response_hours: 1 } } },
    'documentation',
    'service',
    /contact changes/
  ]
]

for (const [name, head, impact, subject, message] of cases) {
  t.test(name, t => {
    const changes = compareRegistries(base, head)
    t.ok(
      changes.some(change => change.impact === impact && change.subject === subject && message.test(change.message)),
      `${impact}: ${subject}`,
      { changes }
    )
    t.equal(changes[0]?.impact, impact, 'nothing graver')
    t.end()
  })
}

t.test('nothing differs from itself, and each list of formats is told once', t => {
  t.strictSame(compareRegistries(base, base), [])
  const changes = compareRegistries(
    base,
    edited('branches', {
      formats: ['json', 'md'],
      input: {
        ...surface('branches').input,
        query: {
          type: 'object',
          properties: { ...(surface('branches').input.query['properties'] as object), format: { enum: ['json', 'md'] } }
        }
      }
    })
  )
  t.equal(changes.length, 1)
  t.end()
})

t.test('an entry that had an address and is gone is a dead link', t => {
  const corpus = base.corpora.get('books')!
  const [gone = '', ...kept] = [...corpus.byKey.keys()]
  const without = (name: string): Registry => {
    const held = base.corpora.get(name)!
    return {
      ...base,
      corpora: new Map([...base.corpora, [name, { ...held, byKey: new Map([...held.byKey].slice(1)) }]])
    }
  }
  t.ok(kept.length > 0)
  t.match(compareRegistries(base, without('books')), [
    { impact: 'breaking', subject: 'corpus books', message: `entry ${gone} is gone` }
  ] satisfies Change[])
  t.match(
    compareRegistries(base, without('branches')),
    [{ impact: 'documentation', subject: 'corpus branches' }],
    'branches have no address of their own'
  )
  t.end()
})
