import { definePage, Facts, Table } from 'pantry/page'
import { SourceList } from '../../pages/sources.tsx'

export default definePage({
  shows: { registry: SourceList },
  view: ({
    shown: {
      registry: { counts, sources }
    }
  }) => ({
    title: 'Sources',
    main: (
      <>
        <p class="lead">
          Where the data comes from: what is read, what is planned, and what may not be read. Each source says what it
          allows; where it says nothing, that is no permission.
        </p>
        <Facts
          of={{ Known: counts.registered_total, Read: counts.wired, Planned: counts.planned, Blocked: counts.blocked }}
        />
        <Table
          caption="Sources by name"
          rows={[...sources].sort((a, b) => a.name.localeCompare(b.name, 'en'))}
          columns={[
            { head: 'Source', cell: ({ id, name }) => <a href={`/sources/${encodeURIComponent(id)}`}>{name}</a> },
            { head: 'State', cell: ({ status }) => status },
            { head: 'Health', cell: ({ health }) => health.state },
            { head: 'License of its data', cell: ({ license }) => license },
            { head: 'Games', cell: ({ games }) => games.join(', ') || 'none' }
          ]}
        />
      </>
    )
  })
})
