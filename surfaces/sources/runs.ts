import { closed, Count, NullableText, Text, Texts, Type, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { TNull, TObject } from 'typebox'
import type { Store } from '../common/repository.ts'
import { proofOf, type Proof } from './source-proofs.ts'

const run = {
  source: Text,
  status: Type.Enum(['running', 'succeeded', 'failed']),
  /** A timestamp in ISO 8601. */
  started_at: Text,
  finished_at: NullableText,
  rows_read: Count,
  rows_written: Count,
  rows_unchanged: Count,
  rows_quarantined: Count
}

/** The numbers of one import run. */
export type Run = DataOf<TObject<typeof run>>

const summary = {
  total_runs: Count,
  successful_runs: Count,
  failed_runs: Count,
  rows_written_total: Count,
  rows_quarantined_total: Count
}

/** Counts over the runs of a source that started within a window. */
type RunSummary = DataOf<TObject<typeof summary>>

const ended = { succeeded_at: NullableText }
const LatestRun = Type.Object({ ...run, ...ended })
const NumberedRun = Type.Object({ ...run, id: Count })

const columns = Object.keys(run) as readonly (keyof typeof run)[]

// A source without runs still gets a row; its run columns are all null.
const noRun = Object.fromEntries(columns.map(name => [name, Type.Null()])) as Readonly<Record<keyof typeof run, TNull>>
const SourceRow = Type.Union([
  Type.Object({ ...run, ...summary, ...ended }),
  Type.Object({ ...noRun, ...summary, ...ended })
])

/** The last run of a source, the end of its last successful run, and a summary of the runs within a window. */
type SourceRuns = Readonly<{ last: Run | null; succeededAt: string | null; summary: RunSummary }>

const succeededAt = `(select max(finished_at) from runs s where s.status = 'succeeded' and s.source = l.source) as succeeded_at`

/** Reads the records of imports: numbers only. Database failures throw `SOURCE_UNAVAILABLE`. */
export class RunStore {
  readonly #knex: Database['reading']
  readonly #rows: Database['rows']

  constructor({ reading: knex, rows }: Pick<Database, 'reading' | 'rows'>) {
    this.#knex = knex
    this.#rows = rows
  }

  /** Returns what a second reader found last of what is held of a source; null when none was run. */
  async proof(source: string): Promise<Proof | null> {
    return await proofOf({ reading: this.#knex, rows: this.#rows }, source)
  }

  /** Returns the last run of each source that has runs, with the end of its last successful run. */
  async latest(): Promise<ReadonlyMap<string, DataOf<typeof LatestRun>>> {
    const rows = await this.#rows(
      LatestRun,
      this.#knex.raw(`
      select ${columns.join(', ')}, ${succeededAt} from (select distinct on (source) * from runs order by source, id desc) l`)
    )
    return new Map(rows.map(row => [row.source, row]))
  }

  /** Returns the runs of a source, newest first; if `before` is given, only those before that run. */
  async history(
    source: string,
    before: number | undefined,
    limit: number
  ): Promise<readonly DataOf<typeof NumberedRun>[]> {
    const all = this.#knex('runs')
      .select('id', ...columns)
      .where({ source })
      .orderBy('id', 'desc')
      .limit(limit)
    return await this.#rows(NumberedRun, before === undefined ? all : all.where('id', '<', before))
  }

  /**
   * Returns the last run of a source and a summary of the runs since `since`. One query, so that all of it is one state
   * of the database.
   */
  async of(source: string, since: Date): Promise<SourceRuns> {
    const [row] = await this.#rows(
      SourceRow,
      this.#knex.raw(
        `
      select ${columns.map(column => `l.${column}`).join(', ')}, ${succeededAt}, w.* from (select ?::text as source) g
      left join lateral (select * from runs where runs.source = g.source order by id desc limit 1) l on true
      cross join lateral (
        select count(*)::int as total_runs, count(*) filter (where status = 'succeeded')::int as successful_runs,
          count(*) filter (where status = 'failed')::int as failed_runs, coalesce(sum(rows_written), 0)::bigint as rows_written_total,
          coalesce(sum(rows_quarantined), 0)::bigint as rows_quarantined_total
        from runs where runs.source = g.source and started_at >= ?
      ) w`,
        [source, since]
      )
    )
    if (row === undefined) throw new Error('An aggregate answers one row.')
    const {
      total_runs,
      successful_runs,
      failed_runs,
      rows_written_total,
      rows_quarantined_total,
      succeeded_at: succeeded,
      ...last
    } = row
    return {
      last: last.status === null ? null : last,
      succeededAt: succeeded,
      summary: { total_runs, successful_runs, failed_runs, rows_written_total, rows_quarantined_total }
    }
  }
}

/** Rows that the last import of a source left out for one reason, with the upstream's ids of the first five. */
export const LeftOut = closed({ source: Text, finished_at: Text, reason: Text, rows: Count, first: Texts })

export const leftOut = async ({ knex, rows }: Store) =>
  await rows(
    LeftOut,
    knex('quarantine as q')
      .join('runs as r', 'r.id', 'q.run')
      .select(
        'q.source',
        knex.raw('max(r.finished_at) as finished_at'),
        'q.reason',
        knex.raw('count(*)::int as rows'),
        knex.raw('(array_agg(q.native_id order by q.id))[1:5] as first')
      )
      .groupBy('q.source', 'q.reason')
      .orderBy(['q.source', 'q.reason'])
      .limit(500)
  )
