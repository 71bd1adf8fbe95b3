import type { DataOf } from 'pantry/data'
import { Facts, type VNode } from 'pantry/page'
import type { LastRun } from '../sources/meta.ts'
import { counted, moment, spoken } from './words.ts'

/** The numbers of a source's last import, or why there are none. */
export const RunFacts = ({ run }: Readonly<{ run: DataOf<typeof LastRun> }>): VNode =>
  '_unavailable' in run ? (
    <p class="none">{spoken(run.reason)}</p>
  ) : (
    <Facts
      of={{
        Result: run.status,
        Finished: run.finished_at === null ? 'not yet' : moment(run.finished_at),
        'Rows read': counted(run.rows_read),
        'Rows written': counted(run.rows_written),
        'Rows that no card was found for': counted(run.rows_quarantined)
      }}
    />
  )
