import { Table, type VNode } from 'pantry/page'

type State = Readonly<{ id: string; name: string; state: string; license: string; reason: string }>

/** A table of what each source may publish, in the words of the source registry. */
export const SourceStates = ({ caption, states }: Readonly<{ caption: string; states: readonly State[] }>): VNode => (
  <Table
    caption={caption}
    rows={states}
    none="No source declares the game."
    columns={[
      {
        head: 'Source',
        cell: ({ id, name, state }) =>
          state === 'blocked' || state === 'planned' ? name : <a href={`/sources/${encodeURIComponent(id)}`}>{name}</a>
      },
      { head: 'State', cell: ({ state }) => state },
      { head: 'Rights', cell: ({ license }) => license },
      { head: 'Why', cell: ({ reason }) => reason }
    ]}
  />
)
