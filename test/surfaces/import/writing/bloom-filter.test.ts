import fc from 'fast-check'
import t from 'tap'
import { BloomFilter } from '../../../../surfaces/import/writing/batch-writer.ts'
import { anyCharacter } from '../../../support/any-character.ts'

t.test('a text that was added is never taken for a new one', t => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter })), texts => {
      const filter = new BloomFilter()
      for (const text of texts) filter.add(text)
      return texts.every(text => filter.add(text))
    }),
    { numRuns: 30 }
  )
  t.end()
})

t.test('of a quarter of a million texts that differ little, next to none is taken for another', t => {
  const filter = new BloomFilter()
  let taken = 0
  for (let set = 1; set <= 50; set++) {
    for (let number = 1; number <= 5000; number++)
      if (filter.add(`op-op${String(set).padStart(2, '0')}-${String(number).padStart(3, '0')}-en`)) taken++
  }
  t.ok(taken < 25, `${taken} of 250,000`)
  t.end()
})
