import t from 'tap'
import { registryOf } from '../../support/registry.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { openPool } from '../../../core/database/pool.ts'
import { bulkLimits, silent } from '../../../core/database/connection.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'
import { declaredSources } from '../import/bundled-sources.ts'

type Artist = {
  name: string
  games: string[]
  credited_works: number
  works_shown: number
  works: { sku: string; game: string; set_code: string; card_number: string; universal: string }[]
}
type Artists = { totals: { hands: number; credited_works: number }; returned: number; hands: Artist[] }

t.test('documents counted from the catalogue', async t => {
  const { url } = await bundledDatabase(t)
  const knex = openPool({ url }, bulkLimits, 1, silent)
  t.teardown(() => knex.destroy())
  const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const data = async <T>(path: string): Promise<T> => ((await (await get(path)).json()) as { data: T }).data
  const count = async (sql: string): Promise<number> =>
    (await knex.raw<{ rows: { n: number }[] }>(`select (${sql})::int as n`)).rows[0]?.n ?? -1

  await t.test('artists are those of the cards', async t => {
    const all = await data<Artists>('/api/v1/artists?limit=100')
    t.equal(all.returned, 100)
    t.equal(
      all.totals.hands,
      await count("select count(distinct artist) from cards, unnest(illustrators) artist where artist <> ''")
    )
    const works = all.hands.map(hand => hand.credited_works)
    t.same(
      works,
      [...works].sort((a, b) => b - a),
      'most credited first'
    )
    const [first] = all.hands
    t.equal(
      first?.credited_works,
      await count(
        `select count(distinct (set_code, card_number)) from cards where '${first?.name.replaceAll("'", "''") ?? ''}' = any(illustrators)`
      )
    )
    t.equal(first?.works_shown, 12)
    for (const { name, works: shown } of all.hands)
      t.equal(new Set(shown.map(one => `${one.set_code} ${one.card_number}`)).size, shown.length, name)
    const named = await data<Artists>(
      `/api/v1/artists?name=${encodeURIComponent((first?.name ?? '').toUpperCase())}&game=${(first?.games[0] ?? '').toUpperCase()}`
    )
    t.same(
      named.hands.map(hand => hand.name),
      [first?.name]
    )
    for (const work of named.hands[0]?.works ?? []) t.equal((await get(work.universal)).status, 200, work.universal)
    t.same((await data<Artists>('/api/v1/artists?name=nobody-of-this-name')).hands, [])
  })

  await t.test('the bounds of the list of artists', async t => {
    t.equal((await data<Artists>('/api/v1/artists?limit=1')).returned, 1)
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'name=', `name=${'x'.repeat(121)}`])
      t.equal((await get(`/api/v1/artists?${query}`)).status, 400, query)
  })

  await t.test('the budget counts what is held', async t => {
    const { catalog_size: size } = await data<{ catalog_size: Record<string, unknown> }>('/api/v1/budget')
    t.equal(size.cards_estimated, await count('select count(*) from cards'))
    t.equal(size.games_active, await count('select count(distinct game) from cards'))
    t.equal(size.sets_total, await count('select count(distinct set_id) from cards'))
    t.equal(
      size.oracle_groups_estimated,
      await count('select count(*) from (select distinct set_id, card_number from cards) n')
    )
    t.equal(
      size.sources_active,
      [...declaredSources().values()].filter(({ upstream }) => upstream.package !== undefined).length
    )
    t.type(size.as_of, 'string')
  })

  await t.test('every freshness key of the service has its budget', async t => {
    const { registry } = await registryOf()
    const { freshness_budgets: budgets } = await data<{ freshness_budgets: { key: string; seconds: number }[] }>(
      '/api/v1/budget'
    )
    t.same(
      Object.fromEntries(budgets.map(({ key, seconds }) => [key, seconds])),
      Object.fromEntries(Object.entries(registry.service.freshness).map(([key, { seconds }]) => [key, seconds]))
    )
  })

  await t.test('every game that is sold in boosters has its place among them', async t => {
    const { games } = await data<{
      games: {
        game: string
        rates: unknown
        reason: string | null
        products: {
          name: string
          rates: { ratio_in_pulls: unknown }[]
          sources: unknown[]
          slots: { cards: number }[] | null
          cards_per_booster: number
          unsure: boolean
          note?: string
        }[]
      }[]
    }>('/api/v1/pulls')
    const { registry } = await registryOf()
    t.ok(games.length >= 13)
    t.strictSame(
      games.map(({ game }) => game),
      registry.corpora.get('pulls')?.entries.map(({ game }) => game)
    )
    for (const { game, rates, reason, products } of games) {
      const hasRatio = products.some(product => product.rates.some(({ ratio_in_pulls: ratio }) => ratio !== null))
      t.equal(rates === null && !hasRatio, reason !== null, game)
      for (const { name, slots, cards_per_booster: cards } of products)
        t.equal(slots?.reduce((sum, slot) => sum + slot.cards, 0) ?? cards, cards, `places of ${name}`)
      t.same(
        products.filter(({ unsure, note }) => unsure && note === undefined).map(({ name }) => name),
        [],
        `${game} says why a figure is unsure`
      )
      t.ok(
        products.length > 0 && products.every(({ sources }) => sources.length > 0),
        `${game} has contents, each from a named page`
      )
    }
  })

  await t.test('the boosters of one game are those of the whole, by token or slug', async t => {
    const ofGame = async (game: string) =>
      await data<{ filters_applied: { game: string | null }; games_with_rates: number; games: { game: string }[] }>(
        `/api/v1/pulls${game}`
      )
    const [whole, one, bySlug] = await Promise.all(['', '?game=OP', '?game=one-piece'].map(ofGame))
    t.equal(whole?.filters_applied.game, null)
    t.same(one, bySlug)
    t.same(
      one?.games,
      whole?.games.filter(({ game }) => game === 'op')
    )
    t.equal(one?.games.length, 1)
    t.equal(one?.games_with_rates, whole?.games_with_rates, 'it counts those of the whole')
    t.equal((await get('/api/v1/pulls?game=marbles')).status, 400)
  })

  await t.test(
    'the rarities of a game are each in its order or apart once, and other words lead to one of them',
    async t => {
      const { registry } = await registryOf()
      for (const { token, rarities } of registry.corpora.get('games')?.entries as {
        token: string
        rarities?: { tiers: string[][]; apart?: string[]; names?: Record<string, string> }
      }[]) {
        const ordered = [...(rarities?.tiers.flat() ?? []), ...(rarities?.apart ?? [])]
        t.equal(new Set(ordered).size, ordered.length, token)
        t.same(
          Object.values(rarities?.names ?? {}).filter(name => !ordered.includes(name)),
          [],
          token
        )
      }
    }
  )

  await t.test('a card of a set with rates has its rarity as a ratio', async t => {
    const card = async (sku: string) =>
      (
        (await (await get(`/api/v1/universal/card/${sku}`)).json()) as {
          rarity: {
            ratio_in_pulls: { numerator: number; denominator: number } | null
            decimal_probability: number | null
            pulls_basis: string
          }
        }
      ).rarity
    const [ratio, none] = [await card('ptcgp-a1-1-en'), await card('op-op01-001-en')]
    t.ok(
      ratio.ratio_in_pulls !== null &&
        Math.abs(ratio.ratio_in_pulls.numerator / ratio.ratio_in_pulls.denominator - (ratio.decimal_probability ?? 0)) <
          1e-9
    )
    t.match(none, {
      ratio_in_pulls: null,
      decimal_probability: null,
      pulls_basis: /./,
      position_in_ordered_rarities: null,
      position_basis: /Leaders.* have no place/
    })
    t.match(await card('op-op01-004-en'), { position_in_ordered_rarities: { position: 3, of: 5 } })
  })
})
