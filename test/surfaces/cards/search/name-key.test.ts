import fc from 'fast-check'
import t from 'tap'
import { editDistance } from '../../../../core/diagnostics/suggest.ts'
import { foldName, innerStarts, maxKeyLength, deletionHashes } from '../../../../surfaces/cards/search/fold-name.ts'

t.test('names that are read alike fold alike', t => {
  const alike = (folded: string, ...texts: string[]) => {
    for (const text of texts) t.equal(foldName(text), folded, text)
  }
  alike('monkey d luffy', 'Monkey.D.Luffy', 'MONKEY D. LUFFY', '  monkey-d-luffy ', 'Ｍｏｎｋｅｙ Ｄ Ｌｕｆｆｙ')
  alike('flabebe', 'Flabébé', 'FLABÉBÉ', 'Flabe\u0301be\u0301')
  alike('farfetchd', "Farfetch'd", 'Farfetch’d')
  alike('turn and burn', 'Turn & Burn', 'turn and burn', 'Turn＆Burn')
  alike('nidoran f', 'Nidoran♀', 'Nidoran F', 'nidoran-f')
  alike('nidoran m', 'Nidoran ♂')
  alike('strasse', 'Straße', 'STRASSE')
  alike('もんきー d るふぃ', 'モンキー・D・ルフィ', 'ﾓﾝｷｰ･D･ﾙﾌｨ', 'もんきー D るふぃ')
  alike('がーぷ', 'ガープ', 'カ\u3099ープ')
  alike('피카츄', '피카츄', '피카츄'.normalize('NFD'))
  alike('', '%', '*', '★', '_', "''", ' ')
  t.not(foldName('ガ'), foldName('カ'), 'a mark that makes another letter')
  t.end()
})

t.test('what is folded stays as it is, and is bounded', t => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
      const folded = foldName(text)
      return foldName(folded) === folded && folded.length <= maxKeyLength
    })
  )
  t.end()
})

t.test('an ASCII text folds as it does beside letters of other scripts', t => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
      text => foldName(`${text} ß`).trim() === `${foldName(text)} ss`.trim()
    )
  )
  t.end()
})

t.test('words begin behind spaces, and with every character of a script without them', t => {
  t.same(innerStarts('monkey d luffy'), ['luffy'])
  t.same(innerStarts('of the sea'), ['the sea', 'sea'])
  t.same(innerStarts('海軍大将'), ['軍大将', '大将'])
  t.same(innerStarts('ルフィ'), ['フィ'])
  t.same(innerStarts('luffy'), [])
  t.end()
})

t.test('words with one mistake between them share a mark', t => {
  const letter = fc.constantFrom('a', 'b', 'c', 'd')
  fc.assert(
    fc.property(
      fc.string({ unit: letter, minLength: 3, maxLength: 7 }),
      fc.string({ unit: letter, minLength: 3, maxLength: 7 }),
      (a, b) => {
        const marks = new Set(deletionHashes(b))
        return editDistance(a, b, 1) > 1 || deletionHashes(a).some(mark => marks.has(mark))
      }
    ),
    { numRuns: 2000 }
  )
  t.end()
})
