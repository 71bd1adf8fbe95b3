import t from 'tap'
import { findCards } from '../../../../surfaces/cards/search/find-cards.ts'
import { cards } from '../../../../surfaces/handlers/search.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { searchOver, type Match } from '../../cards/search/ask-search.ts'

type Answer = Readonly<{
  input: object
  matches: Match[]
  next_step: string | null
  summary: Readonly<Record<string, unknown>>
}>

const { url } = await bundledDatabase(t)
const { ask, database, services } = await searchOver(t, url)
const search = (game: string, q: string, limit?: number) =>
  ask<Answer>(cards, { query: { game, q, ...(limit === undefined ? {} : { limit }) } })
const skus = ({ matches }: Answer) => matches.map(({ sku }) => sku)

type Held = Readonly<{ sku: string; game: string; set_code: string; card_number: string }>
const held = await database.knex('cards').select<Held[]>('sku', 'game', 'set_code', 'card_number')

/** The cards that a text made of each does not find, asked many at a time. */
async function missed(sought: readonly Held[], textOf: (card: Held) => string): Promise<string[]> {
  const lost: string[] = []
  for (let at = 0; at < sought.length; at += 100) {
    await Promise.all(
      sought.slice(at, at + 100).map(async card => {
        const { matches } = await findCards(services.search, services.games.named(card.game), textOf(card))
        if (!matches.some(({ card: { sku } }) => sku === card.sku)) lost.push(`${card.sku} by ${textOf(card)}`)
      })
    )
  }
  return lost
}

t.test('signs alone are nothing to look for', async t => {
  for (const q of ['???', '-', '★', '%', '_'])
    await t.rejects(search('op', q), { code: 'INVALID_INPUT', status: 400, details: { field: 'q' } }, q)
})

t.test('every card is found by its printed number', async t => {
  t.ok(held.length > 10_000)
  t.same(await missed(held, ({ card_number: number }) => number), [])
})

t.test('cards are found by set and number, and by SKU', async t => {
  const some = held.filter((_, at) => at % 5 === 0)
  t.same(await missed(some, ({ sku }) => sku.split('-').slice(1, 3).join(' ')), [])
  t.same(await missed(some, ({ sku }) => sku.toUpperCase()), [])
})

t.test('a printed number: exact, all languages and variants, the ordinary English one first', async t => {
  const answer = await search('op', 'OP01-001')
  t.same(skus(answer).slice(0, 1), ['op-op01-001-en'])
  t.ok(skus(answer).includes('op-op01-001-ja'))
  t.ok(
    answer.matches.every(
      ({ confidence, reason }) => confidence === 'exact' && reason === 'set+number matched (publisher form)'
    )
  )
  t.match(answer.summary, {
    best_confidence: 'exact',
    distinct_set_number_buckets: 1,
    ambiguous: false,
    more: false,
    count: answer.matches.length,
    found: answer.matches.length
  })
  t.equal(answer.next_step, '/api/v1/cards/op-op01-001-en/everything')
  t.same(answer.input, { game: 'op', q: 'OP01-001' })
})

t.test('letter case, padding and separators do not matter', async t => {
  const wanted = skus(await search('op', 'OP01-001'))
  for (const text of ['op01-001', 'OP01 001', 'op1-1', 'OP-01-001', ' op01/001 ', 'OP01   001'])
    t.same(skus(await search('op', text)), wanted, text)
  t.match((await search('op', 'op1-1')).matches[0], { confidence: 'exact', reason: 'set+number matched' })
  t.same(skus(await search('fab', 'wtr-1')), skus(await search('fab', 'WTR001')))
  t.same(skus(await search('ptcgp', 'a1 1')), ['ptcgp-a1-1-en'])
  t.same(skus(await search('ptcgp', 'P-A 007')), ['ptcgp-promo_a-7-en'], 'as the game shows it')
})

t.test('a SKU: itself exact and first, other printings of its number behind it', async t => {
  const { matches, summary } = await search('op', 'OP-OP01-001-JP')
  t.match(matches[0], { sku: 'op-op01-001-ja', confidence: 'exact', reason: 'canonical SKU exact' })
  t.match(matches[1], { card_number: 'OP01-001', confidence: 'fuzzy', reason: 'set+number matched; another printing' })
  t.match(summary, { best_confidence: 'exact', ambiguous: false })
  t.match((await search('op', 'op-op01-001-fr')).matches[0], { confidence: 'fuzzy' }, 'a printing that is not held')
  t.same((await search('fab', 'op-op01-001-ja')).matches, [], 'of another game')
})

t.test('a number with its variant', async t => {
  for (const text of ['OP01-001_p1', 'op01-001-p1', 'OP01-001 P1']) {
    const { matches } = await search('op', text)
    t.ok(
      matches.length > 0 &&
        matches.every(({ variant, reason }) => variant === 'p1' && reason === 'set+number matched (suffixed)'),
      text
    )
  }
  t.same((await search('op', 'OP01-001_p99')).matches, [])
})

t.test('a number alone is fuzzy, and says that it is ambiguous even when one match is shown', async t => {
  const { matches, summary } = await search('op', '001', 1)
  t.match(matches, [{ confidence: 'fuzzy', reason: 'card_number matched; set ambiguous' }])
  t.match(summary, { count: 1, best_confidence: 'fuzzy', ambiguous: true, more: true })
  t.ok(Number(summary['distinct_set_number_buckets']) > 1)
})

t.test('the beginning of a number counts when nothing else is found', async t => {
  const { matches } = await search('op', 'OP01-00')
  t.ok(
    matches.length > 1 &&
      matches.every(
        ({ card_number: number, confidence, reason }) =>
          number.startsWith('OP01-00') && confidence === 'fuzzy' && reason === 'card_number partial match'
      )
  )
})

t.test('an empty result is an answer', async t => {
  for (const text of ['zzz', 'OP99-999', "'; drop table cards", '9'.repeat(160)]) {
    t.match(
      await search('op', text),
      {
        matches: [],
        next_step: null,
        summary: { count: 0, best_confidence: 'none', distinct_set_number_buckets: 0, ambiguous: false, more: false }
      },
      text
    )
  }
  t.same((await search('magic', 'otj-001')).matches, [], 'a game that is known and not held')
})

t.test('at most as many as asked, 20 unless told', async t => {
  t.equal((await search('op', '001')).matches.length, 20)
  for (const limit of [1, 100]) t.equal((await search('op', '001', limit)).matches.length, limit)
})

t.test('a game goes by its token, its slug and its aliases', async t => {
  const wanted = skus(await search('ptcgp', 'A1-001'))
  t.equal(wanted.length, 1)
  for (const name of ['PTCGP', 'pokemon-pocket', 'pkp']) t.same(skus(await search(name, 'A1-001')), wanted, name)
  await t.rejects(search('chess', '1'), { code: 'INVALID_INPUT', details: { field: 'game' } })
})

t.test('matches come in one order: exact first, then as people count', async t => {
  const { matches } = await search('ptcgp', '10', 100)
  const places = matches.map(({ set_code: set, card_number: number }) => `${set} ${number}`)
  t.same(places.slice(0, 3), ['a1 10', 'a1a 10', 'a2 10'])
  t.same(new Set(places).size, places.length)
})
