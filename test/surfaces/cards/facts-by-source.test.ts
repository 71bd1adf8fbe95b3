import t from 'tap'
import { saidFacts } from '../../../surfaces/cards/facts-by-source.ts'
import { everything, evidence } from '../../../surfaces/handlers/cards.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { catalogueOf } from './ask.ts'
import { unknownCard } from './facts.ts'

const card = {
  ...unknownCard,
  name_translations: { en: 'One' },
  rarity: 'R',
  illustrators: ['Ana', 'Bo'],
  attributes: { cost: 3, colours: ['Red'] }
}

t.test('each fact has those who say it, and what others say instead', t => {
  const facts = saidFacts(card, [
    { source: 'zeta', row: { ...card, rarity: 'r', illustrators: ['Bo', 'Ana'] } },
    { source: 'alpha', row: { ...card, rarity: 'SR', illustrators: null, attributes: { cost: '3', colours: 'red' } } },
    { source: 'beta', row: { ...unknownCard } }
  ])
  const of = (field: string) => facts.find(fact => fact.field === field)
  t.same(of('rarity'), { field: 'rarity', sources: ['zeta'], otherwise: [{ source: 'alpha', value: 'SR' }] })
  t.same(of('illustrators'), { field: 'illustrators', sources: ['zeta'], otherwise: [] }, 'order is no difference')
  t.same(of('attributes.cost'), { field: 'attributes.cost', sources: ['alpha', 'zeta'], otherwise: [] })
  t.same(of('attributes.colours')?.sources, ['alpha', 'zeta'])
  t.same(of('name_translations.en')?.sources, ['alpha', 'zeta'])
  t.equal(of('printed_in.code'), undefined, 'what nobody says is no fact')
  t.end()
})

t.test('a source with several rows says what one of them says', t => {
  const rows = [
    { source: 'one', row: { ...card, rarity: 'SR' } },
    { source: 'one', row: card }
  ]
  for (const statements of [rows, rows.toReversed()])
    t.same(
      saidFacts(card, statements).find(({ field }) => field === 'rarity'),
      { field: 'rarity', sources: ['one'], otherwise: [] }
    )
  t.end()
})

t.test('everything and evidence of a card say the same of its facts', async t => {
  const { ask, database } = await catalogueOf(t)
  const sku = 'op-op01-001-en'
  const [row] = await database.knex('cards').where({ sku }).select<Record<string, unknown>[]>('rarity', 'attributes')
  await database.knex('observations').insert(
    [
      ['one-source', { ...unknownCard, rarity: row?.['rarity'] }],
      ['two-source', { ...unknownCard, rarity: 'X' }]
    ].map(([source, said]) => ({
      source,
      native_id: 'a',
      sku,
      digest: '',
      row: JSON.stringify(said),
      statement_id: 1,
      game: 'op'
    }))
  )
  const { document: whole } = await ask(everything, { params: { sku } })
  t.same(compileSchema(everything.reply)(whole), [])
  const { document } = await ask(evidence, { params: { sku } })
  t.same(compileSchema(evidence.reply)(document), [])
  const facts = whole['facts'] as { field: string }[]
  t.same(facts, (document['structure'] as { facts: unknown }).facts)
  t.same(
    facts.find(({ field }) => field === 'rarity'),
    { field: 'rarity', sources: ['one-source'], otherwise: [{ source: 'two-source', value: 'X' }] }
  )
})
