import type { Database } from '../../core/database/database.ts'
import { processorTime } from './processor-time.ts'

/** Counts the processor time of all connections to a database, in microseconds since the first call. */
export function databaseTimer({ bulk }: Pick<Database, 'bulk'>, name: string): () => Promise<number> {
  const seen = new Map<number, number>()
  let total = 0
  return async () => {
    const { rows } = await bulk.raw<{ rows: { pid: number }[] }>('select pid from pg_stat_activity where datname = ?', [
      name
    ])
    const isFirst = seen.size === 0
    for (const { pid } of rows) {
      try {
        const { ran } = processorTime(pid)
        total += isFirst ? 0 : ran - (seen.get(pid) ?? 0)
        seen.set(pid, ran)
      } catch {
        // The connection was closed since.
      }
    }
    return total
  }
}
