import fc from 'fast-check'
import t from 'tap'
import { foldNumber } from '../../../surfaces/catalogue/search-key.ts'
import { buildSku, SkuError } from '../../../surfaces/catalogue/sku.ts'
import { testDatabase } from '../../support/database.ts'

t.test('numbers that are read alike fold alike', t => {
  const alike = (...texts: string[]) => { t.same(new Set(texts.map(foldNumber)).size, 1, texts.join(', ')) }
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
  for (const [a, b] of [['1-11', '11-1'], ['OP01-001', 'OP01-010'], ['A1-001', 'A11-01'], ['28a', '28b']] as const) t.not(foldNumber(a), foldNumber(b), `${a} ${b}`)
  t.end()
})

t.test('what is folded stays as it is', t => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => foldNumber(foldNumber(text)) === foldNumber(text)))
  t.end()
})

/** Texts with much of what numbers are made of. */
const part = fc.string({ unit: fc.constantFrom('0', '0', '1', '9', 'a', 'A', 'z', 'Z', '-', '/', ' ', '.', '_', '~', '&', '★', 'é', '\'') , minLength: 1, maxLength: 12 })

function skuOf (set: string, number: string): string | undefined {
  try {
    return buildSku({ game: 'zz', set, number, lang: 'en', variant: '' })
  } catch (error) {
    if (error instanceof SkuError) return undefined
    throw error
  }
}

t.test('the database folds as we do', async t => {
  const { database: { bulk } } = await testDatabase(t)
  const given = new Map(fc.sample(fc.tuple(part, part), 2000).flatMap(([set, number]) => {
    const sku = skuOf(set, number)
    return sku === undefined ? [] : [[sku, { set, number }] as const]
  }))
  await bulk.raw('create temp table samples (like cards including generated)')
  await bulk.raw('do $$ declare c text; begin for c in select attname from pg_attribute where attrelid = \'samples\'::regclass and attnotnull and attnum > 0 loop execute format(\'alter table samples alter %I drop not null\', c); end loop; end $$')
  await bulk('samples').insert([...given].map(([sku, { number }]) => ({ sku, game: 'zz', card_number: number })))
  const rows = await bulk('samples').select<{ sku: string, place_key: string, number_key: string, printed_key: string }[]>('sku', 'place_key', 'number_key', 'printed_key')
  t.equal(rows.length, given.size)
  // A SKU escapes what is not ASCII; the columns see its bytes, which is one separator either way.
  const expected = (sku: string) => {
    const { set = '', number = '' } = given.get(sku) ?? {}
    return { sku, place_key: `zz:${foldNumber(`${set}-${number}`)}`, number_key: `zz:${foldNumber(number)}`, printed_key: `zz:${number.replace(/[A-Z]/g, letter => letter.toLowerCase())}` }
  }
  t.same(rows, rows.map(({ sku }) => expected(sku)))
})
