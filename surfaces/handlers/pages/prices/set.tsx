import { invalid } from 'pantry/data'
import { definePage, Facts, Type } from 'pantry/page'
import { Bars } from '../../../pages/charts.tsx'
import { byNumber, CardFaces, CardTable, countRarities, ordersOf, sortedBy } from '../../../pages/card-face.tsx'
import { SourceStates, statesOf, Withheld } from '../../../pages/sources.tsx'
import { cardLinks, setLinks, ShownSet } from '../../../pages/schemas.ts'
import { counted, spoken } from '../../../words.ts'
import { SetGuideSchema } from '../../../cards/price-guides.ts'

/** Card numbers per page. */
const perPage = 120

export default definePage({
  query: Type.Object({
    view: Type.Optional(
      Type.Enum(['table', 'faces'], { default: 'table', description: 'As a table, or as faces drawn with type.' })
    ),
    sort: Type.Optional(
      Type.String({
        maxLength: 60,
        default: 'number',
        description:
          'What the cards are sorted by: `number`, `name`, `rarity`, `printings`, or an attribute that most of the set has.'
      })
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: `Which ${perPage} numbers.` })
    )
  }),
  shows: { guide: SetGuideSchema },
  besides: { set: ShownSet },
  view: ({
    shown: {
      guide: { game, set, cards, cross_source_signals: signals, publication_boundary: boundary }
    },
    beside: {
      set: { data: mirror }
    },
    query: { view = 'table', sort = 'number', page = 1 },
    path
  }) => {
    const all = byNumber(cards)
    const pages = Math.max(1, Math.ceil(all.length / perPage))
    const names = ordersOf(all)
    if (!names.includes(sort)) throw invalid('sort', `This set cannot be sorted by \`${sort}\`.`, names)
    if (page > pages) throw invalid('page', `The set has ${pages} pages.`)
    const shown = sortedBy(all, sort).slice((page - 1) * perPage, page * perPage)
    const to = setLinks(path, { view, sort })
    const hrefOf = cardLinks(path)
    const list = { caption: `Cards of ${set.name ?? set.printed_code}, page ${page} of ${pages}`, cards: shown, hrefOf }
    return {
      title: set.name ?? set.printed_code,
      main: (
        <>
          <nav aria-label="Where this is">
            <a href={`/prices/${game.slug}`}>{game.display_name}</a>
          </nav>
          <Facts
            of={{
              Code: set.printed_code,
              Released: set.release_date ?? mirror?.released_note,
              Numbers: counted(all.length),
              'Numbers that sources declare':
                mirror?.completeness.declared_total == null
                  ? `none: ${mirror?.completeness.basis ?? 'not known now'}`
                  : counted(mirror.completeness.declared_total),
              Printings: counted(set.card_count)
            }}
          />
          <h2>Cards</h2>
          <ul class="views" aria-label="How they are shown">
            {(['table', 'faces'] as const).map(one => (
              <li>
                {one === view ? (
                  <strong>{one === 'table' ? 'Table' : 'Faces'}</strong>
                ) : (
                  <a href={to({ view: one })}>{one === 'table' ? 'Table' : 'Faces'}</a>
                )}
              </li>
            ))}
            {names.map(one => (
              <li>
                {one === sort ? <strong>by {spoken(one)}</strong> : <a href={to({ sort: one })}>by {spoken(one)}</a>}
              </li>
            ))}
          </ul>
          {view === 'faces' ? <CardFaces {...list} /> : <CardTable {...list} />}
          {pages > 1 && (
            <nav aria-label="Pages">
              <ul class="views">
                {Array.from({ length: pages }, (_, at) => at + 1).map(one => (
                  <li>
                    {one === page ? (
                      <strong aria-current="page">{one}</strong>
                    ) : (
                      <a href={to({ page: String(one) })}>{one}</a>
                    )}
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <h2>Rarities</h2>
          <Bars caption="Numbers by rarity" of="Rarity" unit="Numbers" bars={countRarities(all)} />
          <h2>Prices</h2>
          <Withheld boundary={boundary} />
          <SourceStates caption="What each source of this game may say" states={statesOf(signals)} />
        </>
      )
    }
  }
})
