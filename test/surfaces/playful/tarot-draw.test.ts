import t from 'tap'
import draw from '../../../surfaces/handlers/playful/tarot/draw.ts'
import { drawCards } from '../../../surfaces/playful/tarot-draw.ts'
import { answer, corpora, takes } from './given.ts'

type Draw = {
  position: string
  orientation: string
  reading: string
  card: { slug: string; upright: string; reversed: string }
}

const deck = corpora.get('tarot')?.entries ?? []
const cardsOf = (data: Record<string, unknown>): string[] =>
  (data['draws'] as Draw[]).map(({ card, orientation }) => `${card.slug} ${orientation}`)

t.test('the same seed draws the same cards; a larger spread begins with those of a smaller one', async t => {
  const [single, three, cross, again] = await Promise.all(
    (['single', 'three', 'cross', 'cross'] as const).map(async spread =>
      cardsOf((await answer(draw, { query: { seed: 'rain', spread } })).data)
    )
  )
  t.same([single?.length, three?.length, cross?.length], [1, 3, 5])
  t.same(cross, again)
  t.same(cross?.slice(0, 3), three)
  t.same(three?.slice(0, 1), single)
})

t.test('other seeds draw other cards, none of them twice', async t => {
  const first = new Map<string, number>()
  let reversed = 0
  for (let seed = 0; seed < 2200; seed += 1) {
    const drawn = drawCards(deck, `seed ${seed}`, 5)
    if (new Set(drawn.map(({ card }) => card)).size !== 5) t.fail(`a card was drawn twice for ${seed}`)
    const slug = JSON.stringify(drawn[0]?.card['slug'])
    first.set(slug, (first.get(slug) ?? 0) + 1)
    if (drawn[0]?.orientation === 'reversed') reversed += 1
  }
  t.equal(first.size, 22, 'every card can be drawn')
  t.ok(
    [...first.values()].every(times => times > 60 && times < 145),
    'no card is much more likely than another'
  )
  t.ok(reversed > 1000 && reversed < 1200, 'upright and reversed alike')
  t.equal(drawCards(deck, 'all', 30).length, 22, 'a pack has an end')
})

t.test('without a seed the cards are those of the UTC day', async t => {
  const at = async (time: string) => (await answer(draw, { now: new Date(time), query: { spread: 'cross' } })).data
  const morning = await at('2026-11-20T00:00:00.000Z')
  t.match(morning, { drawn_from: 'day', date: '2026-11-20' })
  t.same(cardsOf(await at('2026-11-20T23:59:59.999Z')), cardsOf(morning))
  t.notSame(cardsOf(await at('2026-11-21T00:00:00.000Z')), cardsOf(morning))
  t.notSame(
    cardsOf((await answer(draw, { query: { seed: '2026-11-20', spread: 'cross' } })).data),
    cardsOf(morning),
    'a date as a seed is not the day'
  )
})

t.test('a seed is neither returned nor stored', async t => {
  const { data, headers } = await answer(draw, { query: { seed: 'canary-5f2e' } })
  t.notMatch(JSON.stringify(data), 'canary')
  t.match(data, { drawn_from: 'seed', date: null })
  t.same(headers, { 'Cache-Control': 'no-store' })
  t.equal((await answer(draw)).headers, undefined)
})

t.test('the reading is that of the orientation, in a place that is explained', async t => {
  const { draws } = (await answer(draw, { query: { seed: 'x', spread: 'cross' } })).data as { draws: Draw[] }
  for (const { card, orientation, reading } of draws) t.equal(reading, card[orientation as 'upright'])
  t.same(
    draws.map(({ position }) => position),
    ['the-situation', 'the-challenge', 'the-root', 'the-pointer', 'the-outcome']
  )
})

t.test('every spread of the corpus can be asked for, and nothing else', async t => {
  const spreads = corpora.get('tarot-spreads')?.entries ?? []
  for (const { id, card_count: count, positions } of spreads) {
    t.ok(takes(draw, { spread: id }), JSON.stringify(id))
    t.equal((positions as unknown[]).length, count)
  }
  t.notOk(takes(draw, { spread: 'pyramid' }))
  t.ok(takes(draw, { seed: 's'.repeat(200) }))
  t.notOk(takes(draw, { seed: 's'.repeat(201) }))
  t.notOk(takes(draw, { seed: '' }))
})
