import { table } from 'pantry/command'
import type { ImportSummary } from '../import.ts'

const rate = (rows: number, milliseconds: number): string =>
  milliseconds === 0 ? '' : String(Math.round((rows / milliseconds) * 1000))
const counted = ['read', 'written', 'unchanged', 'quarantined'] as const
type Counts = Pick<ImportSummary, (typeof counted)[number] | 'duration_ms'>

const cells = (counts: Counts): string[] => [
  ...counted.map(name => String(counts[name])),
  (counts.duration_ms / 1000).toFixed(1),
  rate(counts.read, counts.duration_ms)
]
const sum = (runs: readonly Counts[], of: keyof Counts): number => runs.reduce((so, run) => so + run[of], 0)

/** The table's last line, with the sums of all runs. */
const total = (runs: readonly ImportSummary[]): string[] => [
  `${runs.length} sources`,
  ...cells({
    read: sum(runs, 'read'),
    written: sum(runs, 'written'),
    unchanged: sum(runs, 'unchanged'),
    quarantined: sum(runs, 'quarantined'),
    duration_ms: sum(runs, 'duration_ms')
  }),
  ''
]

/**
 * Formats import runs as a table with a sum, followed by the reasons why rows were left out and the values that look
 * like something never stored.
 */
export function runsText(runs: readonly ImportSummary[]): string {
  const reasons = runs.flatMap(({ source, refusals }) =>
    refusals.map(({ reason, rows }) => [source, String(rows), reason])
  )
  const head = table(
    ['SOURCE', 'READ', 'WRITTEN', 'UNCHANGED', 'LEFT OUT', 'SECONDS', 'ROWS/S', 'RUN'],
    [...runs.map(run => [run.source, ...cells(run), String(run.run)]), ...(runs.length > 1 ? [total(runs)] : [])]
  )
  const values = runs.flatMap(({ source, look_alikes: found }) =>
    found.flatMap(({ field, form, rows, first }) => [
      ...first.map(({ row, value }) => [source, field, form, value, row]),
      ...(rows > first.length ? [[source, field, form, `and ${rows - first.length} more`, '']] : [])
    ])
  )
  return [
    head,
    ...(reasons.length === 0 ? [] : [table(['SOURCE', 'LEFT OUT', 'REASON'], reasons)]),
    ...(values.length === 0 ? [] : [table(['SOURCE', 'FIELD', 'LOOKS LIKE', 'VALUE', 'ROW'], values)])
  ].join('\n')
}
