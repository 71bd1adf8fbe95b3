import fc from 'fast-check'
import t from 'tap'
import { buildSku, normaliseSku, parseSku, readSku } from '../../../surfaces/cards/sku.ts'
import { anyCharacter } from '../../support/any-character.ts'

const vectors: readonly (readonly [string, string | undefined])[] = [
  ['OP-OP01-001-JP', 'op-op01-001-ja'],
  ['op-op01-001-jp', 'op-op01-001-ja'],
  ['pkm-sv01-006-cn', 'pkm-sv01-006-zh'],
  ['pkm-sv01-006-kr', 'pkm-sv01-006-ko'],
  ['EB-EB01-001-JP', 'op-eb01-001-ja'],
  ['ST-ST01-001-JP', 'op-st01-001-ja'],
  ['PRB-PRB01-001-JP', 'op-prb01-001-ja'],
  ['PK-SV2A-011-JP-V4K5', 'pkm-sv2a-011-ja-v4k5'],
  ['FB-FB01-001-JP', 'dbf-fb01-001-ja'],
  ['SB-SB01-001-JP', 'dbf-sb01-001-ja'],
  ['P-001-JP', undefined],
  ['DON-001-JP', undefined],
  ['mtg-otj-001-nl', 'mtg-otj-001-nl'],
  ['pkm-svobf-en-006', 'pkm-svobf-006-en'],
  ['nonsense', undefined],
  ['', undefined],
  ['op-op01-001-en-p1', 'op-op01-001-en-p1'],
  ['OP-OP01-001-EN-P1-FOIL', 'op-op01-001-en-p1_foil'],
  ['ws-CCS~2Fwx01-001-en', 'ws-ccs~2fwx01-001-en'],
  ['op-op01-001-constructor', undefined]
]

for (const [given, expected] of vectors) {
  t.test(`${given} is ${expected ?? 'no SKU'}`, t => {
    t.equal(normaliseSku(given), expected)
    if (expected !== undefined) t.equal(normaliseSku(expected), expected, 'and stays what it is')
    t.end()
  })
}

for (const [given, expected] of vectors) {
  t.test(`${given} reads first as ${expected ?? 'nothing'}`, t => {
    t.match(readSku(given), expected === undefined ? undefined : { canonical: expected, certain: true })
    t.end()
  })
}

const readings: readonly (readonly [string, readonly string[], boolean])[] = [
  ['pkm-sv-p-001-en', ['pkm-sv-p_001-en', 'pkm-sv_p-001-en'], false],
  ['PKM-SV-P-001-JP-Holo', ['pkm-sv-p_001-ja-holo', 'pkm-sv_p-001-ja-holo'], false],
  ['PK-SV-P-001-JP', ['pkm-sv-p_001-ja', 'pkm-sv_p-001-ja'], false],
  ['ws-CCS/WX01-T-01-en', ['ws-ccs~2fwx01-t_01-en', 'ws-ccs~2fwx01_t-01-en'], false],
  ['ws-CCS/WX01-001-en', ['ws-ccs~2fwx01-001-en'], true],
  ['op-op01-001-zh-hans', ['op-op01-001-zh-hans', 'op-op01-001-zh_hans'], true],
  ['op-op01-001-cn-hant-p1', ['op-op01-001-zh-hant_p1', 'op-op01-001-zh_hant-p1'], true],
  ['swu-sor-001-en', ['swu-sor-001-en'], true],
  ['lor-1-001-zh', ['lor-1-001-zh'], true]
]

for (const [given, expected, certain] of readings) {
  t.test(`${given} can be ${expected.join(' or ')}`, t => {
    const reading = readSku(given)
    t.same([reading?.canonical, ...(reading?.others ?? [])], expected)
    t.equal(reading?.certain, certain)
    t.end()
  })
}

t.test('no text has many readings', t => {
  for (const text of [
    'a',
    'OP01-001',
    '-',
    '----',
    'op--001-en',
    'op-op01-001-',
    'a-b-c-d-e-f-en-g-h',
    `${'a-'.repeat(100)}en`
  ])
    t.equal(readSku(text), undefined, text)
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('en', 'jp', 'a', '1', 'op', 'zh', 'hans', ''), { maxLength: 12 }),
      segments => {
        const reading = readSku(segments.join('-'))
        return reading === undefined || reading.others.length < 24
      }
    )
  )
  t.end()
})

t.test('every SKU of ours, in any letter case, reads first as itself', t => {
  const part = fc.string({ minLength: 1, maxLength: 3, unit: anyCharacter })
  fc.assert(
    fc.property(
      part,
      part,
      fc.constantFrom('en', 'ja', 'zh-hans', 'nl', 'zh'),
      fc.option(part, { nil: '' }),
      (set, number, lang, variant) => {
        const sku = buildSku({ game: 'ws', set, number, lang, variant })
        if (parseSku(sku) === undefined) return true
        return [sku, sku.toUpperCase()].every(
          text => readSku(text)?.canonical === sku && readSku(text)?.certain === true
        )
      }
    )
  )
  t.end()
})
