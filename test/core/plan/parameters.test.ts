import t from 'tap'
import type { Surface } from '../../../core/manifest/surface.ts'
import { compileInput } from '../../../core/plan/read.ts'
import { generationOf, library, serveGeneration } from '../../support/serve-root.ts'

const manifest = `kind: collection
path: /api/v1/parcels
summary: Parcels.
tags: [parcels]
access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: CC0-1.0
sources: [self]
provenance: static
since: 2026-11-20
contract: envelope
corpus: parcels
filters:
  - { name: lightest, field: grams, operation: equals }
  - { name: most, field: grams, operation: maximum }
  - { name: tier, field: tier, operation: equals }
examples:
  - { title: Up to a weight, query: { most: 2.5 } }
  - { title: Of a tier, query: { tier: 2 } }
`
const root = {
  corpora: {
    parcels: {
      'corpus.yaml': 'title: Parcels\nkey: id\norder: [id]\nlicense: CC0-1.0\nsource: self\nroles: { title: id }\n',
      'schema.yaml':
        'type: object\nadditionalProperties: false\nrequired: [id, grams, tier]\nproperties:\n  id: { type: string }\n  grams: { type: number, minimum: 0 }\n  tier: { enum: [1, 2] }\n',
      'entries.yaml':
        '- { id: a, grams: 0.5, tier: 1 }\n- { id: b, grams: 2.5, tier: 2 }\n- { id: c, grams: 2.75, tier: 2 }\n'
    }
  },
  manifests: { 'parcels.yaml': manifest }
}

t.test('a filter on a number validates, answers and is described alike', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, [library, t.testdir(root)]))
  const idsOf = async (query: string): Promise<unknown> => {
    const answer = await get(`/api/v1/parcels?${query}`)
    const { data } = (await answer.json()) as { data: { entries?: readonly { id: string }[] } }
    return answer.status === 200 ? data.entries?.map(({ id }) => id) : answer.status
  }
  t.same(await idsOf('most=2.5'), ['a', 'b'])
  t.same(await idsOf('most=2'), ['a'])
  t.same(await idsOf('lightest=2.75'), ['c'])
  t.same(await idsOf('tier=2'), ['b', 'c'])
  for (const bad of ['most=x', 'most=', 'most=1e1', 'most=-1', 'tier=b']) t.equal(await idsOf(bad), 400, bad)
  const { paths } = (await (await get('/api/openapi.json')).json()) as {
    paths: Record<
      string,
      {
        get: {
          parameters: readonly { name: string; example?: unknown; examples?: Record<string, { value: unknown }> }[]
        }
      }
    >
  }
  const most = paths['/api/v1/parcels']?.get.parameters.find(({ name }) => name === 'most')
  t.same(most?.example ?? Object.values(most?.examples ?? {})[0]?.value, 2.5)
})

t.test('a placeholder is read by the same rule as a query parameter', async t => {
  const params = {
    type: 'object',
    properties: { year: { type: 'integer', minimum: 1900 }, name: { type: 'string' } },
    required: ['year', 'name']
  }
  const surface = {
    input: { params, query: { type: 'object', properties: {} } },
    route: { placeholders: ['year', 'name'], methods: ['GET'] },
    formats: ['json']
  } as unknown as Surface
  const read = compileInput(surface, 'http://127.0.0.1')
  const ask = (year: string): unknown => read({ method: 'GET', search: '', params: { year, name: '7' } } as never)
  t.same(ask('1999'), { params: { year: 1999, name: '7' }, query: {}, body: undefined })
  for (const bad of ['x', '1999.5', '1800', ''])
    t.throws(() => ask(bad), { code: 'INVALID_INPUT', details: { in: 'path', field: 'year' } }, bad)
})
