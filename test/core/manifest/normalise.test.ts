import t from 'tap'
import { errorCodesOf, serviceOf } from '../../../core/manifest/service-defaults.ts'
import type { JsonObject, JsonSchema } from '../../../core/canonical/json.ts'
import { kinds } from '../../../core/kinds/index.ts'
import type { Context } from '../../../core/manifest/kind.ts'
import { toSurface } from '../../../core/manifest/normalise.ts'
import { parseManifest } from '../../../core/manifest/parse.ts'
import type { Surface } from '../../../core/manifest/surface.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { readYaml } from '../../../core/source/read-yaml.ts'

const entry: JsonSchema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    kind: { enum: ['novel', 'essay', null] },
    printed: { type: ['string', 'null'], format: 'date' },
    pages: { type: 'integer' },
    tags: { type: 'array', items: { enum: ['sand', 'spice'] } }
  }
}

const context: Context = {
  service: serviceOf({
    id: 'books',
    name: 'Books',
    summary: 'Books.',
    base_url: 'http://books.example',
    contact: { email: 'desk@books.example', response_hours: 48 }
  }),
  corpora: new Map([
    [
      'books',
      {
        name: 'books',
        title: 'Books',
        key: 'id',
        order: ['-printed', 'id'],
        license: 'CC0-1.0',
        source: 'here',
        roles: {},
        keep: [],
        schema: entry,
        entries: [],
        byKey: new Map()
      }
    ]
  ]),
  documents: new Map([['about', { name: 'about', value: {}, schema: { type: 'object' } }]]),
  handlers: new Map([
    [
      'books/search',
      { query: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }, reply: { type: 'array' } }
    ]
  ]),
  errors: errorCodesOf({ errors: {} }),
  extended: (_document, schema) => schema
}

const surface = (yaml: string, id = 'books'): Surface => {
  const source = readYaml(
    'manifests/books.yaml',
    Buffer.from(
      `summary: Books.\ntags: [books]\naccess: public\ncarries_pii: false\nrequires_consent: false\nfreshness: catalog\nlicense: CC0-1.0\nsources: [self]\nprovenance: static\nsince: 2026-11-20\ncontract: envelope\n${yaml}`
    )
  )
  const { found } = parseManifest(source, kinds)
  if (found === undefined) throw new Error('The manifest of the test has mistakes.')
  return toSurface({ id, root: 'main', source, ...found }, context)
}

t.test('defaults are filled in and the origin is kept', t => {
  const one = surface('kind: document\npath: /api/v1/about\ndocument: about\n')
  t.match(one, {
    route: {
      path: '/api/v1/about',
      methods: ['GET'],
      placeholders: [],
      segments: [{ literal: 'api' }, { literal: 'v1' }, { literal: 'about' }]
    },
    freshness: { key: 'catalog', seconds: 86400 },
    stability: 'stable',
    formats: ['json'],
    doesNotInclude: [],
    description: '',
    origin: { root: 'main', file: 'manifests/books.yaml' }
  })
  t.same(one.input, { params: { type: 'object', properties: {} }, query: { type: 'object', properties: {} } })
  t.same(
    one.examples,
    [
      {
        title: 'Books.',
        method: 'GET',
        params: {},
        query: {},
        headers: {},
        url: '/api/v1/about',
        expect: { status: 200, shows: {} }
      }
    ],
    'a surface that needs nothing has the plain request as its example'
  )
  t.ok(Object.isFrozen(one))
  t.end()
})

t.test('filters, limit and formats become query parameters', t => {
  const { input, answer } = surface(
    'kind: collection\npath: /b\ncorpus: books\nformats: [md, json]\nlimit: { default: 20, maximum: 100 }\nfilters:\n  - kind\n  - tags\n  - { name: since, field: printed, operation: since }\n  - { name: shorter, field: pages, operation: maximum }\n'
  )
  t.match(input.query['properties'], {
    kind: { type: 'string', enum: ['novel', 'essay'] },
    tags: { type: 'string', enum: ['sand', 'spice'] },
    since: { type: 'string', format: 'date' },
    shorter: { type: 'integer' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    format: { type: 'string', enum: ['md', 'json'], default: 'md' }
  })
  t.match(answer, {
    order: ['-printed', 'id'],
    list: 'entries',
    filters: [{ name: 'kind', field: 'kind', operation: 'equals' }, {}, {}, {}]
  })
  t.end()
})

t.test('the output schema of a collection holds exactly what is answered', t => {
  const { output } = surface(
    'kind: collection\npath: /b\ncorpus: books\nfilters:\n  - kind\n  - { name: since, field: printed, operation: since }\nwith: { note: All books. }\nlist: books\n'
  )
  const answer: JsonObject = {
    note: 'All books.',
    scope: { begins: '1965-08-01', total_entries_in_corpus: 1, total_entries_after_filters: 1 },
    filters_applied: { kind: 'novel', since: null },
    filter_vocabulary: { kind: ['novel', 'essay'] },
    returned: 1,
    books: [{ id: 'dune' }]
  }
  const check = compileSchema(output)
  t.same(check(answer), [])
  t.match(check({ ...answer, more: 1 }), [{ rule: 'unknown-key' }])
  t.match(check({ ...answer, filters_applied: { kind: 'poem', since: null } }), [{ rule: 'enum' }])
  const daily = surface('kind: collection\npath: /b\ncorpus: books\npick: daily\n')
  t.same(compileSchema(daily.output)({ date: '2026-11-20', entry: { id: 'dune' } }), [])
  t.end()
})

t.test('a pick with choices shows what was chosen from, and an index only its fields', t => {
  const { input, output } = surface(
    'kind: collection\npath: /b\ncorpus: books\npick: daily\nall: true\nfilters: [kind]\nlist: book\n'
  )
  t.match(input.query['properties'], { kind: { enum: ['novel', 'essay'] }, all: { type: 'boolean', default: false } })
  const check = compileSchema(output)
  const answer: JsonObject = {
    date: '2026-11-20',
    scope: { total_entries_in_corpus: 1, total_entries_after_filters: 0 },
    filters_applied: { kind: 'essay' },
    filter_vocabulary: { kind: ['novel', 'essay'] },
    book: null,
    all: null
  }
  t.same(check(answer), [])
  t.same(check({ ...answer, book: { id: 'dune' }, all: [{ id: 'dune' }] }), [])
  t.not(check({ ...answer, all: [{}] }).length, 0)
  const index = surface('kind: collection\npath: /b\ncorpus: books\nfields: [id, pages]\n').output as {
    properties: { entries: { items: JsonObject } }
  }
  t.same(index.properties.entries.items, {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, pages: { type: 'integer' } }
  })
  t.end()
})

t.test('a title is declared, or read off the id', t => {
  t.equal(surface('kind: document\npath: /a\ndocument: about\ntitle: All about us\n').title, 'All about us')
  t.equal(
    surface('kind: document\npath: /a\ndocument: about\n', 'branches/opening_hours.post').title,
    'Branches opening hours'
  )
  t.end()
})

t.test('what is echoed is a parameter of its place, bounded and free of control characters', t => {
  const { input, output } = surface(
    'kind: document\npath: /a/{room}\ndocument: about\ncache: no-store\necho:\n  room: { description: Which., max_length: 8 }\n  from: { description: Who., max_length: 9 }\n'
  )
  t.match(input, {
    params: { properties: { room: { maxLength: 8, minLength: 1 } }, required: ['room'] },
    query: { properties: { from: { maxLength: 9 } } }
  })
  t.notOk((input.query as { required?: unknown }).required)
  t.match(output, {
    properties: { room: { type: 'string' }, from: { type: ['string', 'null'] } },
    required: ['room', 'from']
  })
  const check = compileSchema(input.query)
  for (const bad of ['a\u0000', '\u009f', 'x'.repeat(10), ''])
    t.not(check({ from: bad }).length, 0, JSON.stringify(bad))
  for (const good of ['é', '日本', 'x'.repeat(9)]) t.same(check({ from: good }), [], good)
  t.end()
})

t.test('an entry surface reads its key as text and does not list the keys', t => {
  const { input, examples, output } = surface(
    'kind: entry\npath: /b/{id}\ncorpus: books\nkey: id\nmember: book\nexamples: [{ title: One, params: { id: "a b/c" } }]\n'
  )
  t.same(input.params, {
    type: 'object',
    properties: { id: { type: 'string', minLength: 1, maxLength: 160 } },
    required: ['id']
  })
  t.equal(examples[0]?.url, '/b/a%20b%2Fc')
  t.same(compileSchema(output)({ book: { id: 'dune' } }), [])
  t.end()
})

t.test('a fixed failure gets the only code of its status', t => {
  const { answer, examples } = surface(
    'kind: status-only\npath: /b\nmethod: [GET, POST]\nstatus: 503\nmessage: Paused.\nretry_after: 60\nanswer: { count: 0 }\n'
  )
  t.same(answer, {
    status: 503,
    error: { code: 'SOURCE_UNAVAILABLE', message: 'Paused.' },
    data: { count: 0 },
    retryAfterSeconds: 60
  })
  t.equal(examples[0]?.expect.status, 503)
  t.end()
})

t.test('a handler brings its own parameters', t => {
  const { answer, input, output, examples } = surface(
    'kind: handler\npath: /b/search\nformats: [json, txt]\n',
    'books/search'
  )
  t.same(answer, { handler: 'books/search' })
  t.match(input.query, { properties: { q: { type: 'string' }, format: { enum: ['json', 'txt'] } }, required: ['q'] })
  t.same(output, { type: 'array' })
  t.same(examples, [], 'a required parameter has no example of its own accord')
  t.end()
})

t.test('examples carry their query in the URL, as text', t => {
  const [example] = surface(
    'kind: collection\npath: /b\ncorpus: books\nfilters: [{ name: shorter, field: pages, operation: maximum }]\nexamples: [{ title: Short, query: { shorter: 20 } }]\n'
  ).examples
  t.match(example, { url: '/b?shorter=20', query: { shorter: '20' } })
  t.end()
})
