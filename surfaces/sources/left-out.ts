import { closed, Count, Text, Texts } from 'pantry/data'
import type { Database } from 'pantry/database'

/** Rows that the last import of a source left out for one reason, with the upstream's ids of the first five. */
export const LeftOut = closed({ source: Text, finished_at: Text, reason: Text, rows: Count, first: Texts })

export const leftOut = async ({ knex, rows }: Pick<Database, 'knex' | 'rows'>) =>
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
