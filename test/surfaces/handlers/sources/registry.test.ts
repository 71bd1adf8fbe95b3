import t from 'tap'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { openDatabase } from '../../../../core/database/database.ts'
import { silent } from '../../../../core/database/connection.ts'
import type { Source } from '../../../../surfaces/import/source.ts'
import { registry, source } from '../../../../surfaces/handlers/sources.ts'
import { testDatabase } from '../../../support/database.ts'
import { askingOf } from '../../coverage/stage.ts'
import { lantern } from '../../import/lantern.ts'

const busy: Source = {
  ...lantern,
  id: 'busy',
  freshness_budget_seconds: 86_400,
  conditions: [{ asks: 'Tell us.', met: 'CANARY: told them.' }, { asks: 'Name us.' }]
}
const idle: Source = { ...lantern, id: 'idle' }
const shut = {
  ...lantern,
  id: 'shut',
  access: 'blocked',
  access_reason: 'Closed by its terms.',
  reader: undefined,
  where: undefined
} as unknown as Source
const later = {
  ...shut,
  id: 'later',
  access: 'planned',
  access_reason: 'An agreement comes first.'
} as unknown as Source
const sources = [shut, busy, later, idle]

const { database } = await testDatabase(t)
const ask = askingOf(t, database, sources)
const run = (
  id: string,
  status: string,
  startedAt: string,
  finishedAt: string | null,
  [read, written, unchanged, quarantined]: readonly number[] = [0, 0, 0, 0]
) =>
  database
    .bulk('runs')
    .insert({
      source: id,
      status,
      started_at: startedAt,
      finished_at: finishedAt,
      rows_read: read,
      rows_written: written,
      rows_unchanged: unchanged,
      rows_quarantined: quarantined
    })

await run('busy', 'succeeded', '2026-11-13T11:59:59.999Z', '2026-11-13T12:10:00Z', [100, 90, 0, 10])
await run('busy', 'succeeded', '2026-11-13T12:00:00.000Z', '2026-11-13T12:20:00Z', [100, 5, 85, 10])
await run('busy', 'succeeded', '2026-11-20T10:59:59.999Z', '2026-11-20T11:05:00Z', [120, 20, 88, 12])
await run('busy', 'failed', '2026-11-20T11:00:00.000Z', '2026-11-20T11:30:00Z')
await database.bulk('quarantine').insert({ run: 1, source: 'busy', native_id: 'CANARY', reason: 'CANARY' })

t.test('the registry lists every source in order, with the numbers of its last run', async t => {
  const answer = await ask(registry)
  t.match(answer, {
    counts: { registered_total: 4, wired: 2, planned: 1, blocked: 1 },
    ingest_runs_available: true,
    sources: [
      {
        id: 'busy',
        status: 'wired',
        license: 'NOASSERTION',
        redistribute: false,
        open_conditions: ['Name us.'],
        freshness_budget_hours: 24,
        health: { state: 'fresh' },
        last_run: {
          status: 'failed',
          started_at: '2026-11-20T11:00:00.000Z',
          finished_at: '2026-11-20T11:30:00.000Z',
          rows_read: 0,
          errors: 1,
          age_hours: 0.5
        }
      },
      { id: 'idle', health: { state: 'never_run' }, last_run: { _unavailable: true, reason: 'never_run' } },
      {
        id: 'later',
        status: 'planned',
        status_reason: 'An agreement comes first.',
        access: null,
        last_run: { _unavailable: true }
      },
      {
        id: 'shut',
        status: 'blocked',
        status_reason: 'Closed by its terms.',
        access: null,
        health: { state: 'never_run', reason: /Closed by its terms/ }
      }
    ]
  })
  t.notMatch(JSON.stringify(answer), /CANARY/, 'no notes and no quarantined rows')
})

t.test('one source: the runs that started within the window', async t => {
  const summary = async (window?: string) =>
    (await ask(source, window === undefined ? {} : { window }, { id: 'busy' }))['run_summary']
  t.same(await summary('1h'), {
    window: '1h',
    window_hours: 1,
    total_runs: 1,
    successful_runs: 0,
    failed_runs: 1,
    rows_written_total: 0,
    rows_quarantined_total: 0,
    errors_total: 1
  })
  t.match(await summary('24h'), {
    window_hours: 24,
    total_runs: 2,
    successful_runs: 1,
    rows_written_total: 20,
    rows_quarantined_total: 12
  })
  t.match(
    await summary('7d'),
    { window_hours: 168, total_runs: 3, successful_runs: 2, failed_runs: 1, rows_written_total: 25 },
    'the first run is a millisecond too early'
  )
  t.match(await summary('30d'), {
    window_hours: 720,
    total_runs: 4,
    rows_written_total: 115,
    rows_quarantined_total: 32
  })
  t.match(await summary('90d'), { window_hours: 2160, total_runs: 4 })
  t.match(await summary(), { window: '7d' }, 'a week unless asked otherwise')
})

t.test('one source: what is told and what is not', async t => {
  const answer = await ask(source, {}, { id: 'busy' })
  t.match(answer, {
    id: 'busy',
    meta: { id: 'busy', status: 'wired' },
    is_planned_only: false,
    license: 'NOASSERTION',
    redistributable: false,
    health: { state: 'fresh' },
    last_run: { status: 'failed' },
    run_history_available: false,
    recent_runs: [],
    run_history_publication: { available: false, access: 'wholesale-key' },
    quarantine_publication: { available: false }
  })
  t.notMatch(JSON.stringify(answer), /CANARY/)
  t.match(await ask(source, {}, { id: 'later' }), {
    is_planned_only: true,
    last_run: { reason: 'never_run' },
    run_summary: { total_runs: 0, rows_written_total: 0 }
  })
  t.match(await ask(source, {}, { id: 'shut' }), {
    is_planned_only: false,
    health: { state: 'never_run', reason: /Closed/ }
  })
})

t.test('a source that is not registered is a 404 that lists those that are', async t => {
  for (const id of ['nope', 'BUSY', 'welcome2', ' ']) {
    const failure = await ask(source, {}, { id }).then(
      () => undefined,
      (error: unknown) => error
    )
    t.ok(failure instanceof SurfaceError && failure.status === 404, id)
    t.same((failure as SurfaceError).details?.['known_ids'], ['busy', 'idle', 'later', 'shut'])
  }
})

t.test('what the window takes', t => {
  const issues = (window: string) => compileSchema(source.query!)({ window }).length
  for (const window of ['1h', '24h', '7d', '30d', '90d']) t.equal(issues(window), 0)
  for (const window of ['2h', '7', '7D', '', '365d']) t.ok(issues(window) > 0, window)
  t.end()
})

t.test('without the store the registry is still told, and says that the runs are not known', async t => {
  const away = await openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', dataDir: '', log: silent })
  t.teardown(() => away.close())
  const asking = askingOf(t, away, sources)
  const unread = { ingest_runs_available: false }
  const answer = await asking(registry)
  t.match(answer, { ...unread, counts: { registered_total: 4 } })
  for (const listed of answer['sources'] as object[])
    t.match(listed, { health: { state: 'unknown' }, last_run: { _unavailable: true, reason: 'runs_unavailable' } })
  t.match(await asking(source, {}, { id: 'busy' }), {
    ...unread,
    meta: { id: 'busy' },
    health: { state: 'unknown' },
    run_summary: { total_runs: null, errors_total: null }
  })
})
