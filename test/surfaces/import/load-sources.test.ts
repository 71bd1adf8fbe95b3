import t from 'tap'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { loadSources } from '../../../surfaces/import/open.ts'
import { lantern } from './lantern.ts'

const entry = (changed: object): JsonObject => ({ ...lantern, ...changed })
const mapped = (changed: object): JsonObject =>
  entry({ reader: { ...lantern.reader, map: { ...lantern.reader!.map, ...changed } } })

t.test('sources by id, in the order of the corpus', t => {
  t.same([...loadSources([entry({}), entry({ id: 'second' })], []).keys()], ['lantern', 'second'])
  t.end()
})

t.test('what a schema cannot see is an error that names the source', t => {
  t.throws(() => loadSources([entry({ reader: undefined })], []), {
    message: 'Source `lantern`: A source that is `wired` needs a `reader`.'
  })
  t.throws(() => loadSources([mapped({ rarity: { lookup: 'prices', key: 'card.id', path: 'x' } })], []), {
    message: 'Source `lantern`: There is no table `prices`.'
  })
  t.throws(() => loadSources([mapped({ rarity: { path: 'card.id', pattern: '(', group: 'a' } })], []), {
    message: /^Source `lantern`: Invalid regular expression/
  })
  t.throws(() => loadSources([mapped({ rarity: { path: 'card.id', pattern: '(?<a>.)', group: 'b' } })], []), {
    message: 'Source `lantern`: The pattern `(?<a>.)` has no group `b`.'
  })
  t.end()
})

t.test('a source that is not wired needs no reader', t => {
  t.equal(loadSources([entry({ access: 'planned', reader: undefined })], []).get('lantern')?.reader, undefined)
  t.end()
})
