import t from 'tap'
import coverage from '../../../surfaces/handlers/coverage.ts'
import { plain } from '../import/rows-on-disk.ts'
import { askingOf, stage } from './stage.ts'

const first = plain('first')
const second = plain('second')
const { database, seen } = await stage(t)
const ask = askingOf(t, database, [first, second])

t.test('nothing imported is an answer of zeros', async t => {
  t.match(await ask(coverage), {
    summary: {
      total_observations: 0,
      distinct_cards: 0,
      distinct_games: 0,
      distinct_sources: 0,
      unassigned_observations: 0,
      earliest_snapshot: null,
      latest_snapshot: null,
      days_of_coverage: 0
    },
    by_game_source: [],
    by_game: [],
    by_source: [],
    filter: { source: null, game: null, since: null },
    upstream_queried_at: null
  })
})

t.test('distinct cards are unions over sources and days; observations count each day', async t => {
  await seen(first, '2026-11-10T23:59:59.999Z', [
    { id: 'a', number: '1' },
    { id: 'b', number: '2' },
    { id: 'b2', number: '2' }
  ])
  await seen(first, '2026-11-12T00:00:00.000Z', [
    { id: 'a', number: '1' },
    { id: 'c', number: '3' }
  ])
  await seen(second, '2026-11-18T10:00:00.000Z', [
    { id: 'z', number: '1' },
    { id: 'y', number: '4' }
  ])

  t.match(await ask(coverage), {
    summary: {
      total_observations: 6,
      distinct_cards: 4,
      distinct_games: 1,
      distinct_sources: 2,
      unassigned_observations: 0,
      earliest_snapshot: '2026-11-10',
      latest_snapshot: '2026-11-18',
      days_of_coverage: 9
    },
    by_game_source: [
      {
        source: 'first',
        game_code: 'lan',
        game_name: 'Lantern Game',
        game_slug: 'lantern-game',
        observations: 4,
        distinct_cards: 3,
        earliest_snapshot: '2026-11-10',
        latest_snapshot: '2026-11-12',
        days_of_coverage: 3,
        freshest_age_hours: 180
      },
      {
        source: 'second',
        game_code: 'lan',
        observations: 2,
        distinct_cards: 2,
        earliest_snapshot: '2026-11-18',
        latest_snapshot: '2026-11-18',
        days_of_coverage: 1,
        freshest_age_hours: 36
      }
    ],
    by_game: [
      {
        game_code: 'lan',
        sources: ['first', 'second'],
        observations: 6,
        distinct_cards: 4,
        distinct_cards_max: 3,
        freshest_age_hours: 36
      }
    ],
    by_source: [
      { source: 'first', games: ['lan'], observations: 4, distinct_cards: 3 },
      { source: 'second', games: ['lan'], observations: 2, distinct_cards: 2 }
    ],
    upstream_queried_at: '2026-11-18T10:00:00.000Z'
  })
})

t.test('filters: a source, a game by any of its names, days from the first that counts', async t => {
  t.match(await ask(coverage, { source: 'first' }), {
    summary: { total_observations: 4, distinct_cards: 3, distinct_sources: 1 },
    by_game: [{ distinct_cards: 3, distinct_cards_max: 3 }]
  })
  for (const game of ['lan', 'LAN', 'Lantern-Game', 'lamp']) {
    t.match(
      await ask(coverage, { game }),
      { summary: { total_observations: 6, distinct_cards: 4 }, filter: { game: 'lan' } },
      game
    )
  }
  t.match(
    await ask(coverage, { since: '2026-11-12' }),
    { summary: { total_observations: 4, distinct_cards: 3, earliest_snapshot: '2026-11-12' } },
    'the day itself counts'
  )
  t.match(await ask(coverage, { since: '2026-11-13' }), {
    summary: { total_observations: 2, distinct_cards: 2, earliest_snapshot: '2026-11-18' }
  })
  for (const filter of [{ source: 'nobody' }, { game: 'nothing' }, { since: '2026-11-19' }]) {
    t.match(
      await ask(coverage, filter),
      { summary: { total_observations: 0, distinct_cards: 0, earliest_snapshot: null }, upstream_queried_at: null },
      JSON.stringify(filter)
    )
  }
})

t.test('rows that were not assigned: those of the last import of each source', async t => {
  t.match(await ask(coverage), { summary: { unassigned_observations: 0 } }, 'an earlier import had one')
  await seen(second, '2026-11-19T10:00:00.000Z', [
    { id: 'z', number: '1' },
    { id: 'y', number: '4' },
    { id: 'y2', number: '4' },
    { id: 'y3', number: '4' }
  ])
  t.match(await ask(coverage), { summary: { unassigned_observations: 2 } })
  t.match(await ask(coverage, { game: 'lan' }), { summary: { unassigned_observations: 2 } }, 'a source of one game')
  t.match(await ask(coverage, { source: 'first' }), { summary: { unassigned_observations: 0 } })
  t.match(
    await askingOf(t, database, [first, { ...second, games: ['lan', 'op'] }])(coverage, { game: 'lan' }),
    { summary: { unassigned_observations: 0 } },
    'a source of several games'
  )
})

t.test(
  'a card that its source lists no more stays counted, one that was read otherwise before does not; an import that fails and a dry run count nothing',
  async t => {
    await database.bulk.raw(
      "insert into runs (source, status, started_at, finished_at, rows_quarantined) values ('first', 'failed', '2026-11-19', '2026-11-19', 5)"
    )
    const count = async (table: string): Promise<number> =>
      Number((await database.bulk(table).count<{ count: number }[]>())[0]?.count)
    t.match(await ask(coverage), {
      summary: {
        distinct_cards: (await count('cards')) + (await count('withdrawals')),
        total_observations: 8,
        unassigned_observations: 2
      }
    })
  }
)

t.test('two imports on one day count once, whatever comes and goes between them', async t => {
  await seen(first, '2026-11-20T01:00:00.000Z', [{ id: 'c', number: '3' }])
  await seen(first, '2026-11-20T02:00:00.000Z', [{ id: 'a', number: '1' }])
  await seen(first, '2026-11-20T03:00:00.000Z', [
    { id: 'a', number: '1' },
    { id: 'c', number: '3' }
  ])
  t.match(await ask(coverage, { since: '2026-11-20' }), {
    summary: { total_observations: 2, distinct_cards: 2, days_of_coverage: 1 },
    by_source: [{ source: 'first', freshest_age_hours: 0 }]
  })
})

t.test('what a row was read as before is no part of the archive', async t => {
  const games = async () => (await ask(coverage))['by_game'] as { game_code: string; distinct_cards: number }[]
  const before = await games()
  const wrong = {
    ...first,
    games: ['lan', 'tow'],
    reader: { ...first.reader!, map: { ...first.reader!.map, game: { const: 'tow' } } }
  }
  const rows = [
    { id: 'a', number: '1' },
    { id: 'c', number: '3' }
  ]
  await seen(wrong, '2026-11-20T04:00:00.000Z', rows)
  t.match(await games(), [{ game_code: 'lan' }, { game_code: 'tow', distinct_cards: 2 }])
  await seen(first, '2026-11-20T05:00:00.000Z', rows)
  t.same(
    (await games()).map(game => [game.game_code, game.distinct_cards]),
    before.map(game => [game.game_code, game.distinct_cards])
  )
})
