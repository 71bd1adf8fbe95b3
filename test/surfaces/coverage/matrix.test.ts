import t from 'tap'
import coverage from '../../../surfaces/handlers/coverage.ts'
import type { Source } from '../../../surfaces/import/source.ts'
import { plain } from '../import/rows-on-disk.ts'
import { askingOf, stage } from './stage.ts'

type Cells = Record<string, string>
type Answer = {
  matrix: {
    rows: { source: string; status: string | null; cells: Cells }[]
    probationary: { source: string; reason: string }[]
    counts: Record<string, number>
  }
}

const seenNow: Source = { ...plain('seen-now'), freshness_budget_seconds: 86_400 }
/** The same source when it has another game only. */
const moved: Source = {
  ...seenNow,
  games: ['lan', 'op'],
  reader: { ...seenNow.reader!, map: { ...seenNow.reader!.map, game: { const: 'op' } } }
}
const seenOnce: Source = { ...plain('seen-once'), freshness_budget_seconds: 86_400 }
const waiting: Source = { ...plain('waiting'), games: ['lan', 'op'] }
const closed = { ...plain('closed'), access: 'blocked' } as Source
const shut = { ...plain('shut'), access: 'blocked' } as Source
const later = { ...plain('later'), access: 'planned' } as Source

const { database, seen } = await stage(t)
await seen(seenNow, '2026-11-19T10:00:00.000Z', [{ id: 'a', number: '1' }])
await seen(seenOnce, '2026-11-10T10:00:00.000Z', [
  { id: 'b', number: '2' },
  { id: 'a', number: '1' }
])
await seen(plain('closed'), '2026-11-19T10:00:00.000Z', [{ id: 'c', number: '3' }])
await seen(plain('unknown'), '2026-11-19T10:00:00.000Z', [{ id: 'd', number: '4' }])
const read = async (sources: readonly Source[], query = {}) =>
  ((await askingOf(t, database, sources)(coverage, query)) as Answer).matrix
const all = [seenNow, seenOnce, waiting, closed, shut, later]

t.test('a cell has one of four states, from what is declared and what the runs showed', async t => {
  const { rows, counts } = await read(all)
  t.same(
    rows.map(({ source, status, cells }) => [source, status, cells['lan'], cells['op']]),
    [
      ['closed', 'blocked', 'live-probationary', 'not-declared'],
      ['later', 'planned', 'anticipated', 'not-declared'],
      ['seen-now', 'wired', 'live-confirmed', 'not-declared'],
      ['seen-once', 'wired', 'live-probationary', 'not-declared'],
      ['shut', 'blocked', 'not-declared', 'not-declared'],
      ['unknown', null, 'live-probationary', 'not-declared'],
      ['waiting', 'wired', 'anticipated', 'anticipated']
    ]
  )
  t.same(counts, { 'live-confirmed': 1, 'live-probationary': 3, anticipated: 3, 'not-declared': 7 })
})

t.test('a probationary cell says what speaks against it', async t => {
  const doubts = async (sources: readonly Source[]) =>
    Object.fromEntries((await read(sources)).probationary.map(({ source, reason }) => [source, reason]))
  t.match(await doubts(all), {
    closed: /not read any more/,
    'seen-once': /budget of the source/,
    unknown: /not registered/
  })
  t.match(await doubts([{ ...seenNow, games: ['op'] }]), { 'seen-now': /does not declare/ })
})

t.test('the filters of a source and a game hold, and a first day changes no state', async t => {
  t.same((await read(all, { source: 'seen-now', game: 'lan' })).rows, [
    { source: 'seen-now', status: 'wired', cells: { lan: 'live-confirmed' } }
  ])
  t.same(await read(all, { since: '2026-11-20' }), await read(all))
  t.same((await read(all, { source: 'nobody' })).rows, [])
})

t.test('a game that the newest import shows no card of is probationary', async t => {
  await seen(moved, '2026-11-20T08:00:00.000Z', [{ id: 'other', number: '1' }])
  const { rows, probationary } = await read([moved], { source: 'seen-now' })
  t.match(rows, [{ cells: { lan: 'live-probationary', op: 'live-confirmed' } }])
  t.match(probationary, [{ game: 'lan', reason: /newest import/ }])
})
