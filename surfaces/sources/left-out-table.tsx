import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import type { LeftOut } from './left-out.ts'

/** Shows the rows that the last imports left out, by reason. */
export const LeftOutTable = ({ of }: Readonly<{ of: readonly DataOf<typeof LeftOut>[] }>): VNode => (
  <Table
    caption="Rows that the last import of each source left out"
    rows={of}
    none="The last imports left nothing out."
    columns={[
      {
        head: 'Source',
        cell: ({ source, finished_at: at }) => (
          <>
            <a href={`/sources/${encodeURIComponent(source)}`}>{source}</a>
            <br />
            <small>{at.slice(0, 10)}</small>
          </>
        )
      },
      { head: 'Rows', isNumber: true, cell: ({ rows }) => rows.toLocaleString('en') },
      { head: 'Why', cell: ({ reason }) => reason },
      {
        head: 'The first of them',
        cell: ({ first }) =>
          first.map((id, at) => (
            <>
              {at > 0 && ', '}
              <code>{id}</code>
            </>
          ))
      }
    ]}
  />
)
