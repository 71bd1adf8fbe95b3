import fc from 'fast-check'
import t from 'tap'
import { keys } from '../../../migrations/0003_search.ts'
import { foldNumber, searchColumns } from '../../../surfaces/cards/search/number-index.ts'
import { buildSku, SkuError } from '../../../surfaces/cards/sku.ts'
import { testDatabase } from '../../support/database.ts'

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

/** Texts with much of what numbers are made of. */
const part = fc.string({
  unit: fc.constantFrom(
    '0',
    '0',
    '1',
    '9',
    'a',
    'A',
    'z',
    'Z',
    '-',
    '/',
    ' ',
    '.',
    '_',
    '~',
    '&',
    '★',
    'é',
    'É',
    'K',
    "'"
  ),
  minLength: 1,
  maxLength: 12
})

function skuOf(set: string, number: string): string | undefined {
  try {
    return buildSku({ game: 'zz', set, number, lang: 'en', variant: '' })
  } catch (error) {
    if (error instanceof SkuError) return undefined
    throw error
  }
}

t.test('the database folds as we do', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t)
  const given = new Map(
    fc.sample(fc.tuple(part, part), 2000).flatMap(([set, number]) => {
      const sku = skuOf(set, number)
      return sku === undefined ? [] : [[sku, { sku, game: 'zz', card_number: number }] as const]
    })
  )
  await bulk.raw('create temp table samples (sku text, game text, card_number text)')
  await bulk('samples').insert([...given.values()])
  const { rows } = await bulk.raw<{ rows: { sku: string; made: string[] }[] }>(
    `select sku, array[${Object.values(keys).join(', ')}] as made from samples`
  )
  t.equal(rows.length, given.size)
  for (const { sku, made } of rows) {
    const card = given.get(sku)
    if (card !== undefined) t.same(made, searchColumns(card), sku)
  }
})
