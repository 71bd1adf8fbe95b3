import { closed, Count, notFound, nullable, Path, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import {
  countByAccess,
  healthOf,
  healthStates,
  ifReadable,
  LastRun,
  lastRunOf,
  metaOf,
  noRun,
  RunNumbers,
  SourceMeta
} from '../sources/meta.ts'
import { Proof, verdicts } from '../sources/source-proofs.ts'

const Health = closed({ state: Type.Enum(Object.keys(healthStates)), reason: Text })

const conventions = {
  license:
    'Tier of the rows of a source. NOASSERTION: what a repository declares for itself does not show that its rows may be reused. proprietary: the policy of the upstream governs, as of a marketplace or a card-data API. Neither is a permission.',
  status: '`wired` sources can be imported, `planned` and `blocked` ones are never read; `status_reason` says why.',
  access:
    'How the rows of a wired source come: with a `package`, or from a `folder` that an operator keeps. Null when nothing is read.',
  open_conditions:
    'What an upstream asks of those who use its rows, as long as nobody has recorded here that it is done.',
  health: 'Derived from the age of the last succeeded import and the freshness budget, and from nothing else.',
  withheld: 'Notes and labels of runs, and rows that were refused, are not published.'
}

/** Returns the registry of sources; without the database it says that the runs cannot be read. */
export const registry = defineHandler({
  entries: { in: 'sources', key: 'id' },
  reply: closed({
    '@kind': Type.Literal('source_registry'),
    description: Text,
    counts: closed({ registered_total: Count, wired: Count, planned: Count, blocked: Count }),
    ingest_runs_available: Type.Boolean(),
    sources: Type.Array(closed({ ...SourceMeta, health: Health, last_run: LastRun })),
    health_states: Type.Record(Text, Text),
    conventions: Type.Record(Text, Text),
    related: Type.Record(Text, Path)
  }),
  async handle({ now, pathTo }, { runs, sources }) {
    const latest = await ifReadable(runs.latest())
    const all = [...sources.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    return reply({
      '@kind': 'source_registry',
      description: 'The upstreams that are known here: those that are read, and those that may not be.',
      counts: { registered_total: all.length, ...countByAccess(all) },
      ingest_runs_available: latest !== undefined,
      sources: all.map(source => {
        const run = latest?.get(source.id)
        return {
          ...metaOf(source),
          health: healthOf(source, latest === undefined ? undefined : (run?.succeeded_at ?? null), now),
          last_run:
            run === undefined ? noRun(latest === undefined ? 'runs_unavailable' : 'never_run') : lastRunOf(run, now)
        }
      }),
      health_states: healthStates,
      conventions,
      related: {
        one_source: pathTo.pattern('sources/source'),
        coverage: pathTo('coverage'),
        welcome: pathTo('sources/welcome')
      }
    })
  }
})

const windows = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2160 } as const
const Unread = nullable(Count)

export const source = defineHandler({
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
    health: Health,
    health_states: Type.Record(Text, Text),
    last_run: LastRun,
    proof: nullable(Proof),
    proof_verdicts: Type.Record(Text, Text),
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
    const window = query.window ?? '7d'
    const hours = windows[window]
    const read = await ifReadable(runs.of(source.id, new Date(now.getTime() - hours * 3_600_000)))
    const last = read?.last ?? null
    const proof = await ifReadable(runs.proof(source.id))
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
      proof: proof ?? null,
      proof_verdicts: verdicts,
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

const maxRuns = 100
const usualRuns = 20

/** Returns the imports of a source, the newest first, without refused rows or who requested a run. */
export const runs = defineHandler({
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 80, description: 'Id of a registered source.' }) }),
  query: Type.Object({
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of a run: only those before it.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxRuns, default: usualRuns, description: 'Most runs to show.' })
    )
  }),
  reply: closed({
    source: Text,
    count: Count,
    runs: Type.Array(closed({ run: Count, ...RunNumbers }), { maxItems: maxRuns })
  }),
  async handle({ params: { id }, query: { before, limit = usualRuns }, now }, { runs, sources }) {
    if (!sources.has(id)) throw notFound('source', id, { field: 'id', known_ids: [...sources.keys()].sort() })
    // One more than is shown tells whether there is another page.
    const found = await runs.history(id, before, limit + 1)
    const shown = found.slice(0, limit).map(run => ({ run: run.id, ...lastRunOf(run, now) }))
    const last = found.length > limit ? shown.at(-1) : undefined
    return reply(
      { source: id, count: shown.length, runs: shown },
      last === undefined ? {} : { next: { before: last.run } }
    )
  }
})
