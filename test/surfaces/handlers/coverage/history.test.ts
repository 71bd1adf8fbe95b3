import t from 'tap'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import coverage, { history } from '../../../../surfaces/handlers/coverage.ts'
import hunt from '../../../../surfaces/handlers/coverage/hunt.ts'
import { openDatabase } from '../../../../core/database/database.ts'
import { silent } from '../../../../core/database/connection.ts'
import { plain } from '../../import/rows-on-disk.ts'
import { askingOf, stage } from '../../coverage/stage.ts'

type Day = { date: string; is_current_utc_day: boolean; observations: number; distinct_cards: number }
const first = plain('first')
const second = plain('second')
const { database, seen } = await stage(t)
const ask = askingOf(t, database, [first, second])
const daysOf = (answer: object) => (answer as { by_day: Day[] }).by_day

await seen(first, '2026-08-22T12:00:00.000Z', [{ id: 'o', number: '9' }])
await seen(first, '2026-10-21T12:00:00.000Z', [
  { id: 'a', number: '1' },
  { id: 'b', number: '2' }
])
await seen(first, '2026-11-13T12:00:00.000Z', [
  { id: 'a', number: '1' },
  { id: 'c', number: '3' }
])
await seen(first, '2026-11-14T00:00:00.000Z', [
  { id: 'a', number: '1' },
  { id: 'c', number: '3' },
  { id: 'c2', number: '3' }
])
await seen(second, '2026-11-14T23:59:59.999Z', [{ id: 'z', number: '1' }])
await seen(first, '2026-11-20T11:00:00.000Z', [{ id: 'a', number: '1' }])

t.test('every day of a window is there, the last one is today, and days outside do not count', async t => {
  for (const [window, days, start] of [
    ['7d', 7, '2026-11-14'],
    ['7', 7, '2026-11-14'],
    ['30d', 30, '2026-10-22'],
    ['30', 30, '2026-10-22'],
    ['90d', 90, '2026-08-23'],
    ['90', 90, '2026-08-23']
  ] as const) {
    const answer = await ask(history, { window })
    t.match(answer, {
      period: { start, through: '2026-11-20', timezone: 'UTC', current_utc_day_may_be_incomplete: true },
      filter: { window: `${days}d`, window_days: days }
    })
    t.equal(daysOf(answer).length, days)
    t.equal(new Set(daysOf(answer).map(({ date }) => date)).size, days)
    t.same(
      daysOf(answer).map(day => day.is_current_utc_day),
      Array.from({ length: days }, (_, index) => index === days - 1)
    )
  }
  t.match(await ask(history), { filter: { window: '30d' } }, 'thirty unless asked otherwise')
})

t.test('totals of a week: unions over the whole window, and ratios without today', async t => {
  const answer = await ask(history, { window: '7d' })
  t.match(answer, {
    summary: {
      total_observations: 4,
      distinct_cards: 2,
      distinct_games: 1,
      distinct_sources: 2,
      unassigned_observations: 1,
      observed_days_including_current: 2,
      completed_days: 6,
      observed_completed_days: 1,
      zero_observation_completed_days: 5,
      observation_completed_day_ratio: 0.1667
    },
    observed_sources: ['first', 'second'],
    upstream_queried_at: '2026-11-20T11:00:00.000Z'
  })
  t.match(daysOf(answer), [
    {
      date: '2026-11-14',
      observations: 3,
      distinct_cards: 2,
      distinct_sources: 2,
      unassigned_observations: 1,
      sources: ['first', 'second'],
      games: ['lan']
    },
    ...['15', '16', '17', '18', '19'].map(day => ({
      date: `2026-11-${day}`,
      observations: 0,
      distinct_cards: 0,
      distinct_games: 0,
      distinct_sources: 0,
      unassigned_observations: 0,
      sources: [],
      games: []
    })),
    { date: '2026-11-20', is_current_utc_day: true, observations: 1, distinct_cards: 1, sources: ['first'] }
  ])
  t.ok(daysOf(answer).reduce((sum, day) => sum + day.distinct_cards, 0) > 2, 'distinct counts of days do not add up')
})

t.test('windows begin with their first day', async t => {
  t.match(
    await ask(history, { window: '30d' }),
    { summary: { total_observations: 6, distinct_cards: 2, observed_completed_days: 2 } },
    'the import of 21 October is a day too early'
  )
  t.match(
    await ask(history, { window: '90d' }),
    { summary: { total_observations: 8, distinct_cards: 3, observed_completed_days: 3, completed_days: 89 } },
    'that of 22 August is a day too early'
  )
})

t.test('filters', async t => {
  t.match(await ask(history, { window: '7d', source: 'second' }), {
    summary: { total_observations: 1, distinct_cards: 1, unassigned_observations: 0 },
    observed_sources: ['second']
  })
  t.match(await ask(history, { window: '7d', game: 'Lantern-Game' }), {
    summary: { total_observations: 4 },
    filter: { game: 'lan' }
  })
  t.match(await ask(history, { window: '7d', game: 'nothing' }), {
    summary: {
      total_observations: 0,
      distinct_cards: 0,
      observation_completed_day_ratio: 0,
      unassigned_observations: 0
    },
    observed_sources: []
  })
})

t.test('what the filters take', t => {
  const issues = (handler: typeof history, query: object) => compileSchema(handler.query!)(query).length
  for (const handler of [history, coverage]) {
    for (const source of ['a', 'punk-records', 'A.b_c-1', 'x'.repeat(64)])
      t.equal(issues(handler, { source, game: source }), 0, source)
    for (const source of ['', '-a', '.a', 'a b', 'a/b', 'ä', 'x'.repeat(65), 'a\n']) {
      t.ok(issues(handler, { source }) > 0, JSON.stringify(source))
      t.ok(issues(handler, { game: source }) > 0, JSON.stringify(source))
    }
  }
  for (const window of ['7d', '30d', '90d', '7', '30', '90']) t.equal(issues(history, { window }), 0)
  for (const window of ['8d', '1d', '', '30D', '030', '91']) t.ok(issues(history, { window }) > 0, window)
  t.equal(issues(coverage, { since: '2024-02-29' }), 0)
  for (const since of ['2023-02-29', '2026-13-01', '2026-1-1', 'today', ''])
    t.ok(issues(coverage, { since }) > 0, since)
  t.end()
})

t.test('without the store every one of them is a 503 that says when to come back', async t => {
  const away = await openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', dataDir: '', log: silent })
  t.teardown(() => away.close())
  const asking = askingOf(t, away, [first])
  for (const handler of [coverage, history, hunt]) {
    const failure = await asking(handler).then(
      () => undefined,
      (error: unknown) => error
    )
    t.ok(
      failure instanceof SurfaceError &&
        failure.status === 503 &&
        failure.code === 'SOURCE_UNAVAILABLE' &&
        failure.headers['Retry-After'] === '1'
    )
  }
})
