import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { hashCanonical, type JsonObject } from '../../../../core/canonical/json.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { candidateKinds } from '../../../../surfaces/coverage/candidate.ts'
import hunt from '../../../../surfaces/handlers/coverage/hunt.ts'
import type { Source } from '../../../../surfaces/import/source.ts'
import { plain } from '../../import/rows-on-disk.ts'
import { askingOf, stage } from '../../coverage/stage.ts'

type Candidate = {
  id: string
  fingerprint: string
  kind: string
  target: Record<string, string>
  metrics: JsonObject
  observed_at: string | null
  why_candidate: string
}
type Entry = {
  candidate: Candidate
  question: string
  where_to_look: { what: string; url: string | null }[]
  selection_trace: { rule: string; registry_status: string | null; observed_pair_present: boolean }
}
type Board = {
  candidates: Entry[]
  available_candidate_count: number
  available_by_kind: Record<string, number>
  returned_candidate_count: number
  as_of: string | null
}

const day = 86_400
const reader = plain().reader!
const sourceOf = (id: string, more: Partial<Source> = {}): Source => ({
  ...plain(id),
  freshness_budget_seconds: 10 * day,
  ...more
})

/** Lists its sets, with a map that states a field. */
const lister = sourceOf('lister', {
  reader: {
    ...reader,
    sets: {
      files: [{ shape: 'json', path: 'sets.json' }],
      rows: [{ as: 'set' }],
      map: { game: { const: 'lan' }, code: 'set.code', declared_total: 'set.total' }
    },
    map: { ...reader.map, rarity: { const: 'common' } }
  }
})
const other = sourceOf('other', { reader: { ...reader, map: { ...reader.map, rarity: { const: 'rare' } } } })
const slow = sourceOf('slow', { freshness_budget_seconds: 1000 * day })
const idle = sourceOf('idle', { where: 'package' })
const shut = sourceOf('shut', { access: 'blocked', reader: undefined } as unknown as Partial<Source>)
const sources = [lister, other, slow, idle, shut]

const { database, folder, seen } = await stage(t)
const ask = askingOf(t, database, sources)
const boardOf = async (query: JsonObject = {}, asking = ask): Promise<Board> =>
  (await asking(hunt, query))['board'] as unknown as Board
const shownAs = (board: Board) =>
  board.candidates.map(({ candidate: { kind, target, metrics }, selection_trace: { rule } }) => ({
    kind,
    rule,
    target,
    metrics
  }))

t.test('an empty store raises only the question why a source that comes with the service shows nothing', async t => {
  const board = await boardOf()
  t.same(
    board.candidates.map(({ candidate: { target, observed_at: moment }, selection_trace: { rule } }) => [
      rule,
      target,
      moment
    ]),
    [['declared_pair_absent_from_observation_archive', { game_code: 'lan', source_id: 'idle' }, null]]
  )
  t.equal(board.as_of, null)
})

t.test('every kind comes from the data', async t => {
  writeFileSync(
    join(folder, 'sets.json'),
    JSON.stringify([
      { code: 'AB1', total: 3 },
      { code: 'NONE', total: 7 },
      { code: 'BARE' },
      { code: 'FULL', total: 1 }
    ])
  )
  await seen(lister, '2026-11-01T12:00:00.000Z', [
    { id: 'a', number: '1' },
    { id: 'v', number: '1', variant: 'alt' },
    { id: 'b', number: '2' },
    { id: 'f', set: 'FULL', number: '1' },
    { id: 'g', set: 'GONE', number: '1' }
  ])
  await seen(other, '2026-11-09T12:00:00.000Z', [
    { id: 'z', number: '1' },
    { id: 'z2', number: '1' }
  ])
  await seen(lister, '2026-11-15T12:00:00.000Z', [
    { id: 'a', number: '1' },
    { id: 'v', number: '1', variant: 'alt' },
    { id: 'b', number: '2' },
    { id: 'f', set: 'FULL', number: '1' }
  ])
  await seen(slow, '2026-11-15T12:00:00.000Z', [
    { id: 's', number: '1' },
    { id: 'h', set: 'GONE', number: '1' }
  ])
  await database.bulk.raw(
    "insert into runs (source, status, started_at, finished_at) values ('gone', 'succeeded', '2026-11-15', '2026-11-15')"
  )

  t.same(
    shownAs(await boardOf({ limit: 24 })),
    [
      {
        kind: 'declared_observed_disagreement',
        rule: 'observing_sources_state_different_values',
        target: { game_code: 'lan', field: 'rarity', sku: 'lan-ab1-1-en' },
        metrics: { observed_cards: 1 }
      },
      {
        kind: 'declared_observed_disagreement',
        rule: 'declared_pair_absent_from_observation_archive',
        target: { game_code: 'lan', source_id: 'idle' },
        metrics: { observed_cards: 0 }
      },
      {
        kind: 'missing_set_observations',
        rule: 'declared_set_absent_from_observation_archive',
        target: { game_code: 'lan', source_id: 'lister', set_code: 'bare' },
        metrics: { catalog_cards: 0, observed_numbers: 0 }
      },
      {
        kind: 'missing_set_observations',
        rule: 'declared_set_absent_from_observation_archive',
        target: { game_code: 'lan', source_id: 'lister', set_code: 'none' },
        metrics: { catalog_cards: 0, observed_numbers: 0, declared_cards: 7 }
      },
      {
        kind: 'partial_set_observations',
        rule: 'declared_total_exceeds_observed_numbers',
        target: { game_code: 'lan', set_code: 'ab1' },
        metrics: { catalog_cards: 3, observed_numbers: 2, declared_cards: 3 }
      },
      {
        kind: 'stale_set_observations',
        rule: 'observed_set_absent_from_latest_snapshot',
        target: { game_code: 'lan', source_id: 'lister', set_code: 'gone' },
        metrics: { catalog_cards: 1, freshest_age_hours: 444, freshness_budget_hours: 240 }
      },
      {
        kind: 'stale_set_observations',
        rule: 'observed_pair_exceeds_declared_freshness_budget',
        target: { game_code: 'lan', source_id: 'other' },
        metrics: { observed_cards: 1, freshest_age_hours: 252, freshness_budget_hours: 240 }
      },
      {
        kind: 'unassigned_observations',
        rule: 'unassigned_observation_count_positive',
        target: { game_code: 'lan', source_id: 'other', sku: 'lan-ab1-1-en' },
        metrics: { unassigned_observations: 1 }
      }
    ].sort(byPlace(await boardOf({ limit: 24 })))
  )
  t.same((await boardOf()).available_by_kind, {
    missing_set_observations: 2,
    partial_set_observations: 1,
    stale_set_observations: 2,
    declared_observed_disagreement: 2,
    unassigned_observations: 1
  })
})

t.test('a source within its budget, and a set that is complete, raise nothing', async t => {
  const targets = (await boardOf({ limit: 24 })).candidates.map(({ candidate: { target } }) => target)
  t.notOk(targets.some(target => target['source_id'] === 'slow'))
  t.notOk(targets.some(target => target['set_code'] === 'full'))
})

t.test('a source that is closed, or does not declare what it showed, or is not registered any more', async t => {
  const rulesOf = async (changed: readonly Source[]) =>
    (await boardOf({ kind: 'declared_observed_disagreement', limit: 24 }, askingOf(t, database, changed))).candidates
      .filter(({ candidate: { target } }) => target['source_id'] === 'slow')
      .map(({ selection_trace: trace }) => [trace.rule, trace.registry_status])
  t.same(await rulesOf(sources), [])
  t.same(await rulesOf(sources.map(source => (source.id === 'slow' ? { ...source, access: 'blocked' } : source))), [
    ['observed_pair_conflicts_with_current_source_gate', 'blocked']
  ])
  t.same(
    (await rulesOf(sources.map(source => (source.id === 'slow' ? { ...source, games: ['op'] } : source)))).sort(),
    [
      ['declared_pair_absent_from_observation_archive', 'wired'],
      ['observed_pair_absent_from_registry_declaration', 'wired']
    ]
  )
  t.same(await rulesOf(sources.filter(source => source.id !== 'slow')), [
    ['observed_pair_absent_from_registry_declaration', null]
  ])
})

t.test('ids follow from what is shown, and stay when only time passes', async t => {
  const board = await boardOf({ limit: 24 })
  for (const {
    candidate: { id, fingerprint, kind, target, metrics, why_candidate: why },
    question
  } of board.candidates) {
    const lasting = Object.fromEntries(Object.entries(metrics).filter(([name]) => name !== 'freshest_age_hours'))
    t.equal(
      fingerprint,
      hashCanonical({ kind, target, metrics: lasting, why_candidate: why, question }),
      'bare, as every hash here'
    )
    t.equal(id, `ch_${fingerprint.slice(0, 24)}`)
  }
  t.equal(new Set(board.candidates.map(({ candidate }) => candidate.id)).size, board.candidates.length)
  t.same(await boardOf({ limit: 24 }), board, 'asked again, the same board')
  await seen(slow, '2026-11-16T12:00:00.000Z', [
    { id: 's', number: '1' },
    { id: 'h', set: 'GONE', number: '1' }
  ])
  t.same(
    (await boardOf({ limit: 24 })).candidates.map(({ candidate }) => candidate.id),
    board.candidates.map(({ candidate }) => candidate.id),
    'another import of the same rows'
  )
})

t.test(
  'numbers between seen ones are named; a set that leaves out most of them, and a row that says what another says, ask nothing',
  async t => {
    const { database: own, seen: seenThere } = await stage(t)
    await seenThere(slow, '2026-11-15T12:00:00.000Z', [
      ...['1', '2', '5', '6', '8', '9', '10'].map(number => ({ id: `gap ${number}`, set: 'GAP', number })),
      ...['1', '900'].map(number => ({ id: `far ${number}`, set: 'FAR', number })),
      { id: 'gap 1', set: 'GAP', number: '1' }
    ])
    const { candidates } = await boardOf({ limit: 24 }, askingOf(t, own, [slow]))
    t.match(candidates, [
      {
        candidate: {
          kind: 'partial_set_observations',
          target: { game_code: 'lan', set_code: 'gap' },
          metrics: { observed_numbers: 7, unseen_numbers: 3 }
        },
        question: 'Of the numbers 1 to 10 of the set gap of Lantern Game, all were seen but 3, 4 and 7. Do they exist?',
        where_to_look: [
          { what: 'The set as it is held here', url: '/prices/lantern-game/gap' },
          { what: 'The upstream lantern' },
          { what: 'What Nobody publishes of Lantern Game', url: null }
        ]
      }
    ])
    t.equal(candidates.length, 1)
  }
)

t.test('filters and the limit', async t => {
  for (const kind of candidateKinds) {
    const board = await boardOf({ kind, limit: 24 })
    t.ok(board.candidates.length > 0 && board.candidates.every(({ candidate }) => candidate.kind === kind), kind)
    t.equal(board.available_candidate_count, board.candidates.length)
  }
  t.match(await boardOf({ game: 'Lantern-Game' }), { available_candidate_count: 8 })
  t.match(await boardOf({ game: 'op' }), { available_candidate_count: 0, candidates: [] })
  t.match(await boardOf({ limit: 1 }), { available_candidate_count: 8, returned_candidate_count: 1 })
  const issues = (query: object) => compileSchema(hunt.query!)(query).length
  for (const limit of [1, 12, 24]) t.equal(issues({ limit }), 0)
  for (const limit of [0, 25, -1, 1.5, 'many']) t.ok(issues({ limit }) > 0, String(limit))
  t.ok(issues({ kind: 'no_such_kind' }) > 0)
  t.ok(issues({ game: 'not a game' }) > 0)
})

/** Orders what is expected as the board does, where only the hash decides. */
function byPlace(board: Board): (a: { rule: string; target: object }, b: { rule: string; target: object }) => number {
  const place = ({ rule, target }: { rule: string; target: object }): number =>
    board.candidates.findIndex(
      ({ candidate, selection_trace: trace }) =>
        trace.rule === rule && JSON.stringify(candidate.target) === JSON.stringify(target)
    )
  return (a, b) => place(a) - place(b)
}
