import t from 'tap'
import { patternOf } from '../../../../surfaces/cards/search/read-query.ts'

t.test('digits find a number, what follows the word before them, and a set that they are the code of', t => {
  const word = { text: '341', before: 'stage', readings: [], names: [], values: [] }
  const finds = (words: string, isCode: boolean): boolean =>
    new RegExp(patternOf({ ...word, sets: isCode ? [{ id: 1, isCode }] : [] })).test(words)
  for (const isCode of [true, false]) {
    t.ok(finds(' guardian demon 435 #341 341 ', isCode))
    t.ok(finds(' guardian demon 435 #88 88 stage 341 ', isCode))
    t.equal(finds(' guardian demon 341 #88 88 ', isCode), isCode)
  }
  t.end()
})
