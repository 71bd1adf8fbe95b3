import fc from 'fast-check'
import t from 'tap'
import { foldNumber } from '../../../surfaces/cards/search/number-index.ts'

t.test('numbers that are read alike fold alike', t => {
  const alike = (...texts: string[]) => {
    t.same(new Set(texts.map(foldNumber)).size, 1, texts.join(', '))
  }
  alike('OP01-001', 'op01-001', 'OP-01 1', 'op1/1', ' OP01 - 001 ')
  alike('WTR001', 'wtr-1', 'WTR 001')
  alike('CCS/WX01-E026a', 'ccs wx1 e26A')
  alike('058/081', '58-81')
  t.equal(foldNumber('000'), '0', 'a zero stays')
  t.equal(foldNumber('r&d-protocol_files'), 'r-d-protocol-files')
  t.equal(foldNumber('★'), '')
  t.end()
})

t.test('different numbers stay apart', t => {
  for (const [a, b] of [
    ['1-11', '11-1'],
    ['OP01-001', 'OP01-010'],
    ['A1-001', 'A11-01'],
    ['28a', '28b']
  ] as const)
    t.not(foldNumber(a), foldNumber(b), `${a} ${b}`)
  t.end()
})

t.test('what is folded stays as it is', t => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => foldNumber(foldNumber(text)) === foldNumber(text)))
  t.end()
})
