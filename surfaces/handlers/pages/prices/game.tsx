import { definePage, Facts, Table } from 'pantry/page'
import { Bars, completenessOf, shareBars, shareText } from '../../../pages/charts.tsx'
import { SourceStates, statesOf, Withheld } from '../../../pages/sources.tsx'
import { Completenesses } from '../../../pages/schemas.ts'
import { SearchForm } from '../../../pages/lists.tsx'
import { counted } from '../../../words.ts'
import { GuideSchema } from '../../../cards/price-guides.ts'

/** The chart shows only the least complete sets; the table shows all. */
const mostDrawn = 20

export default definePage({
  shows: { guide: GuideSchema },
  besides: { sets: Completenesses },
  view: ({ shown: { guide }, beside: { sets } }) => {
    const known = completenessOf(sets.data?.sets ?? [])
    const declared = shareBars(guide, known, code => `/prices/${guide.slug}/${encodeURIComponent(code)}`)
    return {
      title: guide.display_name,
      scripts: ['search.js'],
      main: (
        <>
          <p class="lead">{guide.hero_paragraph}</p>
          <Facts
            of={{
              Publisher: guide.publisher,
              Sets: counted(guide.total_set_count),
              Printings: counted(guide.total_card_count)
            }}
          />
          <SearchForm games={[{ token: guide.game_code, short_name: guide.short_name }]} game={guide.game_code} />
          <h2>Sets</h2>
          <Table
            caption={`Sets of ${guide.display_name} that are held here`}
            none="No card of the game is held here yet."
            rows={guide.sets}
            columns={[
              {
                head: 'Set',
                cell: set => (
                  <a href={`/prices/${guide.slug}/${encodeURIComponent(set.code)}`}>{set.name ?? set.printed_code}</a>
                )
              },
              { head: 'Code', cell: set => set.printed_code },
              { head: 'Printings', cell: set => counted(set.card_count), isNumber: true },
              { head: 'Numbers held of those declared', cell: set => shareText(known.get(set.code)), isNumber: true },
              { head: 'Released', cell: set => set.release_date ?? 'not dated' }
            ]}
          />
          {declared.length > 0 && (
            <>
              <h2>Completeness</h2>
              <p>
                {declared.length} of {guide.sets.length} sets have a number of cards that a source declares. These miss
                the most:
              </p>
              <Bars
                caption="Percent of the declared numbers that are held"
                of="Set"
                unit="Percent"
                bars={[...declared].sort((a, b) => a.value - b.value).slice(0, mostDrawn)}
              />
            </>
          )}
          <h2>Prices</h2>
          <Withheld boundary={guide.publication_boundary} />
          <SourceStates caption="What each source of this game may say" states={statesOf(guide.cross_source_signals)} />
        </>
      )
    }
  }
})
