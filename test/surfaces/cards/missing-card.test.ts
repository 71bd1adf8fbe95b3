import t from 'tap'
import { cardNotFound } from '../../../surfaces/cards/card-history.ts'
import { catalogueOf } from './ask.ts'
import atCard from '../../../surfaces/handlers/at/card.ts'
import { everything, evidence } from '../../../surfaces/handlers/cards.ts'
import { card } from '../../../surfaces/handlers/universal.ts'

const nothing = { withdrawal: () => Promise.resolve(undefined) }

t.test('an older form is answered with the canonical one, what is no SKU with none', async t => {
  t.match(await cardNotFound('OP-OP01-999-JP', nothing), {
    code: 'NOT_FOUND',
    details: { field: 'sku', sku: 'op-op01-999-jp', canonical_sku: 'op-op01-999-ja' }
  })
  t.match(await cardNotFound('op-op01-999-ja', nothing), { details: { canonical_sku: 'op-op01-999-ja' } })
  t.match(await cardNotFound('nonsense', nothing), {
    message: 'There is no card `nonsense` here.',
    details: { canonical_sku: null, documented_at: '/api/v1/universal/encoding', withdrawn: null }
  })
})

t.test('every surface of one card says the same of one that is not held', async t => {
  const {
    ask,
    database,
    services: { cardHistory }
  } = await catalogueOf(t)
  const sku = 'op-op99-999-ja'
  const every = async (): Promise<void> => {
    const said = await cardNotFound(sku, cardHistory)
    for (const handler of [card, atCard, everything, evidence])
      await t.rejects(ask(handler, { params: { sku, date: '2026-05-01' } }), {
        message: said.message,
        details: said.details
      })
  }
  await every()
  await database
    .knex('withdrawals')
    .insert({
      sku,
      source: 'one-source',
      withdrawn_at: '2026-11-19T23:30:00-02:00',
      reason: 'moved',
      successor: 'op-op99-998-ja'
    })
  t.match(await cardNotFound(sku.toUpperCase(), cardHistory), {
    code: 'NOT_FOUND',
    message: `The card \`${sku}\` was withdrawn on 2026-11-20: its row of \`one-source\` makes a card with another SKU now.`,
    details: {
      withdrawn: { sku, on: '2026-11-20', source: 'one-source', reason: 'moved', successor: 'op-op99-998-ja' }
    }
  })
  await every()
})
