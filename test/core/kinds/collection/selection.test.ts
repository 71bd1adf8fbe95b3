import t from 'tap'
import { compileFilterMembers, filterMembers } from '../../../../core/kinds/collection/selection.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'

const schema = {
  properties: {
    region: { type: 'string' },
    kind: { type: 'string', enum: ['river', 'lake'] },
    names: { type: 'array', items: { type: 'string' } },
    depth: { type: 'integer' }
  }
}
const filters = [
  { name: 'region', field: 'region', operation: 'equals' },
  { name: 'kind', field: 'kind', operation: 'in' },
  { name: 'named', field: 'names', operation: 'equals-any-case' },
  { name: 'part', field: 'names', operation: 'contains' },
  { name: 'depth', field: 'depth', operation: 'equals' }
]
const water = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    region: at % 2 === 0 ? 'North' : 'East',
    names: [`Water ${at}`],
    depth: at
  }))

t.test('an answer names the words that a filter can find: of the closed list, or those that are held', t => {
  for (const [count, named] of [
    [0, []],
    [3, ['Water 0', 'Water 1', 'Water 2']],
    [51, null]
  ] as const) {
    const corpus = { schema, entries: water(count) }
    const answer = compileFilterMembers(corpus, filters)({ region: 'Nroth' })
    t.same(answer, {
      filters_applied: { region: 'Nroth', kind: null, named: null, part: null, depth: null },
      filter_vocabulary: { region: count === 0 ? [] : ['East', 'North'], kind: ['river', 'lake'], named }
    })
    const query = { properties: Object.fromEntries(filters.map(({ name }) => [name, { type: 'string' }])) }
    const shapes = filterMembers(corpus, filters, query)
    t.same(compileSchema({ type: 'object', properties: shapes })(answer), [])
  }
  const table = { name: 'waters', columns: {} }
  t.same(
    Object.keys(filterMembers({ schema, entries: [], table }, filters, {}).filter_vocabulary['properties'] ?? {}),
    ['kind'],
    'of a table only a closed list'
  )
  t.end()
})
