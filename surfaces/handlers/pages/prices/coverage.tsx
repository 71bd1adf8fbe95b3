import { definePage, Table } from 'pantry/page'
import { ShownCoverage } from '../../../pages/schemas.ts'
import { counted } from '../../../words.ts'
import { SourceList } from '../../../pages/sources.tsx'

export default definePage({
  shows: { sources: SourceList, coverage: ShownCoverage },
  view: ({
    shown: {
      sources: { sources },
      coverage
    }
  }) => {
    const open = new Set(sources.filter(({ redistribute }) => redistribute).map(({ id }) => id))
    return {
      title: 'What prices rest on',
      main: (
        <>
          <p class="lead">
            A price needs a source that may be read and a right to publish it. This page says for every source and game
            what there is of both.
          </p>
          <Table
            caption="Sources, and what each allows"
            rows={sources}
            columns={[
              { head: 'Source', cell: ({ id, name }) => <a href={`/sources/${encodeURIComponent(id)}`}>{name}</a> },
              { head: 'State', cell: ({ status }) => status },
              { head: 'License of its data', cell: ({ license }) => license },
              { head: 'May be redistributed', cell: ({ redistribute }) => (redistribute ? 'yes' : 'no') },
              { head: 'Games', cell: ({ games }) => games.join(', ') || 'none' }
            ]}
          />
          <Table
            caption="Games, and the sources that show their structure"
            rows={coverage.by_game}
            columns={[
              { head: 'Game', cell: ({ game_name: name, game_slug: slug }) => <a href={`/prices/${slug}`}>{name}</a> },
              { head: 'Cards seen', cell: ({ distinct_cards: cards }) => counted(cards), isNumber: true },
              { head: 'Sources of structure', cell: ({ sources: ids }) => ids.join(', ') },
              {
                head: 'Sources that may be redistributed',
                cell: ({ sources: ids }) => ids.filter(id => open.has(id)).join(', ') || 'none'
              }
            ]}
          />
        </>
      )
    }
  }
})
