import fc from 'fast-check'
import t from 'tap'
import type { Corpus, Entry } from '../../../core/corpus/corpus.ts'
import { filterEntries, orderEntries, pickOfDay, selectEntries, type Condition } from '../../../core/corpus/select.ts'
import { operatorOf } from '../../../core/kinds/collection/operators/list.ts'

const entries: Entry[] = [
  { id: 'b', kind: 'novel', date: '2026-11-20', pages: 300, tags: ['sand', 'spice'] },
  { id: 'a', kind: 'essay', date: '2026-11-21', pages: 20, tags: [] },
  { id: 'c', kind: 'novel', date: null, tags: ['sand'] }
]
const condition = (field: string, operation: string, wanted: string | number): Condition => ({
  field,
  meets: value => operatorOf(operation).meets(value, wanted)
})
const ids = (list: readonly Entry[]): unknown[] => list.map(entry => entry['id'])

t.test('filters combine with AND; a list field is met by one of its items', t => {
  t.same(ids(filterEntries(entries, [])), ['b', 'a', 'c'])
  t.same(ids(filterEntries(entries, [condition('kind', 'equals', 'novel'), condition('tags', 'equals', 'spice')])), [
    'b'
  ])
  t.same(
    ids(filterEntries(entries, [condition('date', 'since', '2026-11-21')])),
    ['a'],
    'an entry without a date is not recent'
  )
  t.same(ids(filterEntries(entries, [condition('kind', 'equals-any-case', 'NoVel')])), ['b', 'c'], 'in capitals or not')
  t.same(ids(filterEntries(entries, [condition('pages', 'equals-any-case', '300')])), [], 'a number is no text')
  t.same(ids(filterEntries(entries, [condition('pages', 'maximum', 20)])), ['a'])
  t.end()
})

t.test('absent and null values come last in both directions', t => {
  t.same(ids(orderEntries(entries, ['date'], 'id')), ['b', 'a', 'c'])
  t.same(ids(orderEntries(entries, ['-date'], 'id')), ['a', 'b', 'c'])
  t.end()
})

t.test('the order is total: it does not depend on the order of the files', t => {
  const many = fc.uniqueArray(
    fc.record({ id: fc.string(), n: fc.oneof(fc.integer(), fc.constant(null), fc.string(), fc.boolean()) }),
    { selector: entry => entry.id }
  )
  fc.assert(
    fc.property(many, fc.constantFrom('n', '-n'), (list, field) => {
      const once = orderEntries(list, [field], 'id')
      return JSON.stringify(once) === JSON.stringify(orderEntries([...list].reverse(), [field], 'id'))
    })
  )
  t.end()
})

t.test('the pick of a day is the same all day long and goes through all entries', t => {
  const at = (text: string): unknown => pickOfDay(entries, new Date(text))?.['id']
  t.equal(at('2026-11-20T00:00:00Z'), at('2026-11-20T23:59:59.999Z'))
  t.same(new Set(['2026-11-20', '2026-11-21', '2026-11-22'].map(at)).size, 3)
  t.equal(at('2026-11-20'), at('2026-11-23'))
  t.ok(at('1969-12-30'), 'also before 1970')
  t.equal(pickOfDay([], new Date()), undefined)
  t.end()
})

t.test('a selection tells what matches from what the limit lets through', t => {
  const corpus: Corpus = {
    name: 'books',
    title: 'Books',
    key: 'id',
    order: ['id'],
    license: 'CC0-1.0',
    source: 'here',
    roles: {},
    keep: [],
    schema: {},
    entries,
    byKey: new Map()
  }
  const { matching, returned } = selectEntries(corpus, { conditions: [], order: ['id'], limit: 2 })
  t.same(
    [ids(matching), ids(returned)],
    [
      ['a', 'b', 'c'],
      ['a', 'b']
    ]
  )
  t.end()
})
