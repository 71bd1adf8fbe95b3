import type { Database } from 'pantry/database'

/** One run of an import, in numbers. */
export type Run = Readonly<{
  source: string
  status: 'running' | 'succeeded' | 'failed'
  /** ISO 8601. */
  started_at: string
  finished_at: string | null
  rows_read: number
  rows_written: number
  rows_unchanged: number
  rows_quarantined: number
}>

/** The runs of a source that started within a window. */
export type RunSummary = Readonly<{
  total_runs: number
  successful_runs: number
  failed_runs: number
  rows_written_total: number
  rows_quarantined_total: number
}>

/** The last run of a source, the end of its last succeeded one, and a summary. */
export type SourceRuns = Readonly<{ last: Run | null, succeededAt: string | null, summary: RunSummary }>

const columns = ['source', 'status', 'started_at', 'finished_at', 'rows_read', 'rows_written', 'rows_unchanged', 'rows_quarantined'] as const
const succeededAt = `(select max(finished_at) from runs s where s.status = 'succeeded' and s.source = l.source) as succeeded_at`

/** Reads the records of imports: numbers only. Failures of the store are `SOURCE_UNAVAILABLE`. */
export class RunStore {
  readonly #knex: Database['knex']

  constructor ({ knex }: Pick<Database, 'knex'>) {
    this.#knex = knex
  }

  /** The last run of each source that ever ran, with the end of its last succeeded one. */
  async latest (): Promise<ReadonlyMap<string, Run & Readonly<{ succeeded_at: string | null }>>> {
    const { rows } = await this.#knex.raw<{ rows: (Run & { succeeded_at: string | null })[] }>(`
      select ${columns.join(', ')}, ${succeededAt} from (select distinct on (source) * from runs order by source, id desc) l`)
    return new Map(rows.map(row => [row.source, row]))
  }

  /** What is known of one source; `since` is when the window begins. One statement, and so one state of the store. */
  async of (source: string, since: Date): Promise<SourceRuns> {
    const { rows: [row] } = await this.#knex.raw<{ rows: (Run & RunSummary & { succeeded_at: string | null })[] }>(`
      select ${columns.map(column => `l.${column}`).join(', ')}, ${succeededAt}, w.* from (select ?::text as source) g
      left join lateral (select * from runs where runs.source = g.source order by id desc limit 1) l on true
      cross join lateral (
        select count(*)::int as total_runs, count(*) filter (where status = 'succeeded')::int as successful_runs,
          count(*) filter (where status = 'failed')::int as failed_runs, coalesce(sum(rows_written), 0)::bigint as rows_written_total,
          coalesce(sum(rows_quarantined), 0)::bigint as rows_quarantined_total
        from runs where runs.source = g.source and started_at >= ?
      ) w`, [source, since])
    if (row === undefined) throw new Error('An aggregate answers one row.')
    const { total_runs, successful_runs, failed_runs, rows_written_total, rows_quarantined_total, succeeded_at: succeeded, ...last } = row
    // Without a run every column of it is null.
    return {
      last: (last as { status: unknown }).status === null ? null : last,
      succeededAt: succeeded,
      summary: { total_runs, successful_runs, failed_runs, rows_written_total, rows_quarantined_total }
    }
  }
}
