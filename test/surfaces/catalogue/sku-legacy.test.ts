import t from 'tap'
import { normaliseSku } from '../../../surfaces/catalogue/legacy-sku.ts'

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
