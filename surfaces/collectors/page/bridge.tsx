import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import type { Bridge } from '../schemas.ts'

const named = (value: string | number | readonly string[] | null): string => value === null ? 'no value' : typeof value === 'object' ? value.join(', ') || 'none' : String(value)

/** What two parties have in common, measure by measure. */
export const BridgeView = ({ bridge: { a, b, metrics, bridge_score: score, note } }: Readonly<{ bridge: DataOf<typeof Bridge> }>): VNode => (
  <>
    <h2>{a} and {b}</h2>
    <p>Score: <strong>{named(score)}</strong></p>
    <Table caption="Each measure, and how it is made" rows={Object.entries(metrics)} columns={[
      { head: 'Measure', cell: ([name]) => name.replaceAll('_', ' ') },
      { head: 'Value', cell: ([, { value, reason }]) => reason === null ? named(value) : reason === 'not_published' ? 'not published by both' : 'nothing to compare' },
      { head: 'Made of', cell: ([, { formula }]) => formula }
    ]} />
    <p class="note">{note}</p>
  </>
)
