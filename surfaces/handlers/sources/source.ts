import { Type, closed, Count, notFound, nullable, Path, reply, Text } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import {
  healthOf,
  healthStates,
  ifReadable,
  LastRun,
  lastRunOf,
  metaOf,
  noRun,
  SourceMeta
} from '../../sources/meta.ts'

const windows = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2160 } as const
const usual = '7d'
const Unread = nullable(Count)

/** Returns one source: its declaration, its freshness, and the numbers of its runs. */
export default defineHandler({
  params: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 100, description: 'Id of a source, as /api/v1/sources lists them.' })
  }),
  query: Type.Object({
    window: Type.Optional(
      Type.Enum(Object.keys(windows) as (keyof typeof windows)[], {
        description: 'Which runs `run_summary` counts: those that started so long ago at most; default 7d.'
      })
    )
  }),
  entries: { key: 'id' },
  reply: closed({
    id: Text,
    meta: closed(SourceMeta),
    is_planned_only: Type.Boolean(),
    license: SourceMeta.license,
    redistributable: Type.Literal(false),
    ingest_runs_available: Type.Boolean(),
    health: closed({ state: Type.Enum(Object.keys(healthStates)), reason: Text }),
    health_states: Type.Record(Text, Text),
    last_run: LastRun,
    run_summary: closed({
      window: Type.Enum(Object.keys(windows)),
      window_hours: Count,
      total_runs: Unread,
      successful_runs: Unread,
      failed_runs: Unread,
      rows_written_total: Unread,
      rows_quarantined_total: Unread,
      errors_total: Unread
    }),
    run_history_available: Type.Literal(false),
    recent_runs: Type.Array(Type.Never()),
    run_history_publication: closed({
      available: Type.Literal(false),
      access: Type.Literal('wholesale-key'),
      reason: Text
    }),
    quarantine_publication: closed({ available: Type.Literal(false), reason: Text }),
    related: Type.Record(Text, Path)
  }),
  async handle({ params, query, now, pathTo }, { runs, sources }) {
    const source = sources.get(params.id)
    if (source === undefined)
      throw notFound('source', params.id, { field: 'id', known_ids: [...sources.keys()].sort() })
    const window = query.window ?? usual
    const hours = windows[window]
    const read = await ifReadable(runs.of(source.id, new Date(now.getTime() - hours * 3_600_000)))
    const last = read?.last ?? null
    return reply({
      id: source.id,
      meta: metaOf(source),
      is_planned_only: source.access === 'planned',
      license: source.payload_rights,
      redistributable: false,
      ingest_runs_available: read !== undefined,
      health: healthOf(source, read === undefined ? undefined : read.succeededAt, now),
      health_states: healthStates,
      last_run: last === null ? noRun(read === undefined ? 'runs_unavailable' : 'never_run') : lastRunOf(last, now),
      run_summary: {
        window,
        window_hours: hours,
        ...(read?.summary ?? {
          total_runs: null,
          successful_runs: null,
          failed_runs: null,
          rows_written_total: null,
          rows_quarantined_total: null
        }),
        errors_total: read?.summary.failed_runs ?? null
      },
      run_history_available: false,
      recent_runs: [],
      run_history_publication: {
        available: false,
        access: 'wholesale-key',
        reason: 'Single runs are shown to holders of a wholesale key, which the operator gives out.'
      },
      quarantine_publication: {
        available: false,
        reason: 'Rows that could not be assigned to a card are counted. What they held is not published.'
      },
      related: {
        registry: pathTo('sources/registry'),
        coverage: `${pathTo('coverage')}?source=${source.id}`,
        history: `${pathTo('coverage/history')}?source=${source.id}`,
        welcome: pathTo('sources/welcome')
      }
    })
  }
})
