import t from 'tap'
import { unknownId } from '../../../core/handler/errors.ts'

const ids = Array.from({ length: 250 }, (_, index) => `entry-${index}`)

t.test('a 404 of one of many names the first ids, and how many there are', async t => {
  const { code, message, details } = unknownId('entry', 'zebra', ids)
  t.strictSame([code, message], ['NOT_FOUND', 'There is no entry `zebra` here.'])
  t.strictSame(details, { known_ids: ids.slice(0, 20), known_count: 250 })
  t.strictSame(unknownId('entry', 'zebra', ['a']).details, { known_ids: ['a'], known_count: 1 })
  t.strictSame(unknownId('entry', 'zebra', []).details, { known_ids: [], known_count: 0 })
})

t.test('what differs by case only is suggested, else what is near, also beyond the ids that are named', async t => {
  const suggested = (name: string, known: readonly string[]): unknown =>
    unknownId('entry', name, known).details?.['did_you_mean']
  t.strictSame(suggested('ENTRY-240', ids), ['entry-240'])
  t.strictSame(suggested('Hill', ['hill', 'HILL', 'hall']), ['hill', 'HILL'])
  t.strictSame(suggested('lighthuose', ['harbour', 'lighthouse']), ['lighthouse'])
  t.equal(suggested('zebra', ['harbour']), undefined)
})
