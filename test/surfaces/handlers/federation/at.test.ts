import t from 'tap'
import { at, identify } from '../../../../surfaces/handlers/federation.ts'
import { cardContentHash } from '../../../../surfaces/cards/documents/card.ts'
import { gameContentHash, setContentHash } from '../../../../surfaces/cards/documents/sets-and-games.ts'
import { catalogueOf } from '../../cards/ask.ts'
import { cards, games, sets } from '../../cards/catalogue-rows.ts'

const { ask } = await catalogueOf(t)
const answer = async (hash: string, date = '2026-05-01') => (await ask(at, { params: { date, hash } })).document

t.test('a date finds what is found without one', async t => {
  for (const hash of [
    ...cards.map(cardContentHash),
    ...sets.map(setContentHash),
    ...games.map(gameContentHash),
    '0'.repeat(64)
  ]) {
    const { document: plain } = await ask(identify, { params: { hash } })
    for (const date of ['1970-01-01', '2026-05-01', '2099-12-31']) {
      const document = await answer(`sha256:${hash.toUpperCase()}`, date)
      for (const name of ['matched', 'resolved', 'sku', 'scope']) t.same(document[name], plain[name], `${hash} ${name}`)
      t.equal(document['current_url'], plain['universal_url'])
      t.match(document, {
        '@as_of': { iso8601_date: date },
        query: { date, hash },
        hash_contract: { requested_date_affects_hash: false }
      })
    }
  }
})

t.test('a card is led to under its date, sets and games have no dated form', async t => {
  for (const card of cards)
    t.match(await answer(cardContentHash(card)), {
      universal_url: `/api/at/2026-05-01/card/${card.sku}`,
      current_url: `/api/v1/universal/card/${card.sku}`
    })
  for (const set of sets) {
    const document = await answer(setContentHash(set))
    t.equal(document['universal_url'], document['current_url'])
  }
})

t.test('the date is checked before the hash', async t => {
  await t.rejects(answer('nothing', '2026-02-30'), { code: 'INVALID_INPUT', details: { field: 'date' } })
  await t.rejects(answer('nothing'), { code: 'INVALID_INPUT', details: { field: 'hash' } })
})
