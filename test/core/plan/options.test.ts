import t, { type Test } from 'tap'
import { generationOf, library, serveGeneration, type Served } from '../../support/serve-root.ts'

const facets = `summary: A shelf.
tags: [shelf]
access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: CC0-1.0
sources: [self]
provenance: static
since: 2026-11-20
contract: envelope
`

const root = {
  corpora: {
    riddles: {
      'corpus.yaml':
        'title: Riddles\nkey: id\norder: [id]\nlicense: CC0-1.0\nsource: self\nroles: { title: id, text: text }\n',
      'schema.yaml':
        'type: object\nadditionalProperties: false\nrequired: [id, level, text]\nproperties:\n  id: { type: string }\n  level: { type: integer, minimum: 1, maximum: 3 }\n  form: { type: string, enum: [short, long] }\n  text: { type: string }\n',
      'entries.yaml':
        '- { id: A-one, level: 1, form: short, text: First. }\n- { id: b-two, level: 2, form: long, text: Second. }\n- { id: c-three, level: 3, form: long, text: Third. }\n'
    },
    documents: { 'door.yaml': 'open: true\n' }
  },
  manifests: {
    'riddle.yaml': `kind: collection\npath: /api/v1/riddle\n${facets}formats: [json, txt]\ncorpus: riddles\npick: daily\nall: true\nlist: riddle\nfilters:\n  - form\n  - { name: most, field: level, operation: maximum }\n  - { name: n, field: level, operation: equals }\n`,
    'riddles.yaml': `kind: collection\npath: /api/v1/riddles\n${facets}title: Riddles of the shelf\nformats: [json, md]\ncorpus: riddles\nfields: [id, level]\nfilters: [{ name: id, field: id, operation: equals-any-case }]\n`,
    'door.yaml': `kind: document\npath: /api/v1/door/{room}\n${facets}cache: no-store\ndocument: door\necho:\n  room: { description: Which room., max_length: 8, normalise: [lowercase] }\n  from: { description: Who asks., max_length: 8, normalise: [trim] }\nexamples: [{ title: One, params: { room: hall } }]\n`,
    'shut.yaml': `kind: status-only\npath: /api/v1/shut/{room}\n${facets}status: 503\nmessage: Shut.\nanswer: { shut: true }\necho:\n  room: { description: Which room., max_length: 8, pattern: '^[a-z]+$' }\nexamples: [{ title: One, params: { room: hall }, expect: { status: 503 } }]\n`,
    'word.post.yaml': `kind: witness\npath: /api/v1/word\nmethod: POST\n${facets}body:\n  limit_bytes: 400\n  schema: { type: object, additionalProperties: false, required: [word], properties: { word: { type: string }, why: { type: string } } }\nnormalise: { word: [trim] }\nhash: { contract: word/1, over: [word] }\nwith: { thanks: Thank you. }\nadvice: { type: object, required: [why], properties: { word: { type: string, minLength: 4 } } }\nexamples: [{ title: One, body: { word: shelf } }]\n`
  }
}

type Json = Readonly<Record<string, unknown>> & {
  data: Record<string, unknown>
  error?: { code: string; message: string }
}

const served = async (
  t: Test
): Promise<
  Served & { json: (path: string, init?: RequestInit) => Promise<{ status: number; headers: Headers; body: Json }> }
> => {
  const one = await serveGeneration(t, await generationOf(t, [library, t.testdir(root)]))
  return {
    ...one,
    json: async (path, init) => {
      const answer = await one.get(path, init)
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json }
    }
  }
}

t.test('the pick of a day is one of the entries that the filters select; `all` shows them beside it', async t => {
  const { json, get } = await served(t)
  const {
    body: { data }
  } = await json('/api/v1/riddle')
  t.match(data, {
    scope: { total_entries_in_corpus: 3, total_entries_after_filters: 3 },
    filters_applied: { form: null, most: null, n: null },
    filter_vocabulary: { form: ['short', 'long'] },
    all: null
  })
  t.ok((data['riddle'] as { id: string }).id)
  t.match((await json('/api/v1/riddle?form=short')).body.data, {
    riddle: { id: 'A-one' },
    scope: { total_entries_after_filters: 1 }
  })
  t.match((await json('/api/v1/riddle?n=2')).body.data, { riddle: { id: 'b-two' } })
  t.match(
    (await json('/api/v1/riddle?form=short&n=3')).body.data,
    { riddle: null, scope: { total_entries_after_filters: 0 } },
    'nothing is nothing, and no failure'
  )
  const all = (await json('/api/v1/riddle?all=true&most=2')).body.data
  t.same(
    (all['all'] as { id: string }[]).map(({ id }) => id),
    ['A-one', 'b-two']
  )
  t.match(await (await get('/api/v1/riddle?all=true&format=txt')).text(), /Third\./)
  const plain = await (await get('/api/v1/riddle?format=txt')).text()
  t.notMatch(
    plain,
    /not given|Filters applied|Filter vocabulary|^All/m,
    'plain text tells nothing of what was not asked for'
  )
  t.match(plain, /Total entries in corpus: 3/)
  t.match(await (await get('/api/v1/riddle?form=short&format=txt')).text(), /Filters applied\n-+\n\nForm: short\n/)
  for (const bad of ['n=0', 'n=4', 'most=0', 'most=4', 'n=x', 'form=middle', 'all=yes'])
    t.match(await json(`/api/v1/riddle?${bad}`), { status: 400, body: { error: { code: 'INVALID_INPUT' } } }, bad)
})

t.test('an index shows the chosen fields in every form, and a text is found in capitals or not', async t => {
  const { json, get } = await served(t)
  const {
    body: { data }
  } = await json('/api/v1/riddles?id=a-ONE')
  t.match(data, { returned: 1, filters_applied: { id: 'a-ONE' } })
  t.same(data['entries'], [{ id: 'A-one', level: 1 }])
  const page = await (await get('/api/v1/riddles?format=md')).text()
  t.match(page, /^# Riddles of the shelf/)
  t.notMatch(page, /Second\./)
  t.match((await json('/api/v1/riddles?id=a')).body.data, { returned: 0 })
})

t.test('an echo is bounded, normalised, never stored and never kept', async t => {
  const { json, get } = await served(t)
  const { headers, body } = await json('/api/v1/door/HALL?from=%20me%20')
  t.same(body.data, { open: true, room: 'hall', from: 'me' })
  t.equal(headers.get('cache-control'), 'no-store')
  t.equal(headers.get('etag'), null)
  t.same((await json('/api/v1/door/hall')).body.data, { open: true, room: 'hall', from: null })
  t.equal((await json('/api/v1/door/abcdefgh?from=abcdefgh')).status, 200)
  for (const bad of [
    '/api/v1/door/abcdefghi',
    '/api/v1/door/hall?from=abcdefghi',
    '/api/v1/door/hall?from=%20',
    '/api/v1/door/hall?from=',
    '/api/v1/door/hall?from=a%00',
    '/api/v1/door/hall?from=a&from=b'
  ])
    t.match(await json(bad), { status: 400, body: { error: { code: 'INVALID_INPUT' } } }, bad)
  t.match(await json('/api/v1/shut/hall'), {
    status: 503,
    body: { data: { shut: true, room: 'hall' }, error: { code: 'SOURCE_UNAVAILABLE' } }
  })
  t.match(await json('/api/v1/shut/Hall'), { status: 400, body: { error: { code: 'INVALID_INPUT' } } })
  const { paths } = (await (await get('/api/openapi.json')).json()) as {
    paths: Record<
      string,
      { get: { responses: Record<string, { content: Record<string, { example: { data: unknown } }> }> } }
    >
  }
  t.same(paths['/api/v1/shut/{room}']?.get.responses['503']?.content['application/json']?.example.data, {
    shut: true,
    room: 'hall'
  })
  t.notOk(paths['/api/v1/door/{room}']?.get.responses['304'], 'what is not stored has no 304')
})

t.test('advice is given and nothing is refused for it', async t => {
  const { json } = await served(t)
  const post = (body: object): ReturnType<typeof json> =>
    json('/api/v1/word', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  t.match((await post({ word: 'shelf', why: 'it holds' })).body.data, {
    thanks: 'Thank you.',
    report: { complete: true, advice: [] }
  })
  t.same(
    (await post({ word: ' ab    ' })).body.data['report'],
    {
      complete: false,
      advice: [
        { field: 'why', message: '`why` is left out.' },
        { field: 'word', message: '`word` is shorter than 4 characters.' }
      ]
    },
    'the body is looked at as it was normalised'
  )
  t.equal((await post({ why: 'no word' })).status, 400)
})
