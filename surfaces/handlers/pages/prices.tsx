import { invalid } from 'pantry/data'
import { definePage, Facts, Table, Type } from 'pantry/page'
import { EverythingSchema } from '../../cards/card-answers.ts'
import { CardGuideSchema, GuideSchema, SetGuideSchema } from '../../cards/price-guides.ts'
import { formatCount, languageName, spoken } from '../../common/words.ts'
import { EvidenceSchema } from '../../market/evidence.ts'
import {
  byNumber,
  CardFaces,
  CardTable,
  countRarities,
  headed,
  ordersOf,
  reversed,
  sortedBy
} from '../../pages/card-face.tsx'
import { CardSheet } from '../../pages/card-sheet.tsx'
import { Bars, completenessOf, declaredText, shareBars, shareText } from '../../pages/charts.tsx'
import { feedbackPath } from '../../pages/feedback.tsx'
import { CameIn, SearchForm } from '../../pages/lists.tsx'
import {
  cardLinks,
  setLinks,
  Completenesses,
  gameNamesOf,
  GameNames,
  HeldGames,
  ShownCard,
  ShownCoverage,
  ShownSet
} from '../../pages/schemas.ts'
import { gameCrumb, numberPath, setCrumb, titleOf } from '../../pages/sharing.ts'
import { SourceList, SourceStates, statesOf, Withheld } from '../../pages/sources.tsx'

export default definePage({
  shows: { held: HeldGames, names: GameNames },
  view: ({ shown: { held, names } }) => {
    const counts = new Map(held.games.map(game => [game.target_natural_token, game]))
    const guides = names.games.filter(({ curated }) => curated)
    return {
      title: 'Price guides',
      scripts: ['search.js'],
      main: (
        <>
          <p class="lead">
            A guide shows the sets and printings of a game, and what each source may say of prices. No price is
            published: no source gave the right to.
          </p>
          <SearchForm games={guides} />
          <Table
            caption="Games with a guide, by name"
            rows={guides}
            columns={[
              { head: 'Game', cell: ({ slug, name }) => <a href={`/prices/${slug}`}>{name}</a> },
              { head: 'Publisher', cell: ({ publisher }) => publisher },
              { head: 'Sets', cell: ({ token }) => formatCount(counts.get(token)?.set_count ?? 0), isNumber: true },
              {
                head: 'Printings',
                cell: ({ token }) => formatCount(counts.get(token)?.card_count ?? 0),
                isNumber: true
              }
            ]}
          />
          <p>
            <a href="/list">Find the cards of a deck or collection</a>
          </p>
          <p>
            <a href="/prices/coverage">Which source could say what</a>
          </p>
        </>
      )
    }
  }
})

/** The most sets in the chart, which shows the least complete ones; the table of sets shows all. */
const maxDrawn = 20

export const game = definePage({
  shows: { guide: GuideSchema },
  besides: { sets: Completenesses },
  view: ({ shown: { guide }, beside: { sets }, pathTo }) => {
    const known = completenessOf(sets.data?.sets ?? [])
    const declared = shareBars(guide, known, code => `/prices/${guide.slug}/${encodeURIComponent(code)}`)
    return {
      title: guide.display_name,
      description: guide.hero_paragraph,
      crumbs: [{ label: 'Cards', path: '/prices' }],
      sharing: { canonical: pathTo('pages/prices/game', { game: guide.slug }) },
      scripts: ['search.js'],
      main: (
        <>
          <p class="lead">{guide.hero_paragraph}</p>
          <Facts
            of={{
              Publisher: guide.publisher,
              Sets: formatCount(guide.total_set_count),
              Printings: formatCount(guide.total_card_count)
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
              { head: 'Printings', cell: set => formatCount(set.card_count), isNumber: true },
              { head: 'Numbers held of those declared', cell: set => shareText(known.get(set.code)), isNumber: true },
              { head: 'Released', cell: set => set.release_date ?? 'not dated' }
            ]}
          />
          {declared.length > 0 && (
            <>
              <h2>Completeness</h2>
              <p>
                Of {declared.length} of {guide.sets.length} sets a source declares how many numbers there are. These
                miss the most:
              </p>
              <Bars
                caption="Percent of the declared numbers that are held"
                of="Set"
                unit="Percent"
                bars={[...declared].sort((a, b) => a.value - b.value).slice(0, maxDrawn)}
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

/** Card numbers per page. */
const perPage = 96

export const set = definePage({
  query: Type.Object({
    view: Type.Optional(
      Type.Enum(['faces', 'table'], { default: 'faces', description: 'As faces drawn from facts, or as a table.' })
    ),
    sort: Type.Optional(
      Type.String({
        maxLength: 60,
        default: 'number',
        description:
          'What the cards are sorted by: `number`, `name`, `rarity`, `printings`, or an attribute that most of the set has; after `-` the other way round.'
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
    query: { view = 'faces', sort = 'number', page = 1 },
    path,
    pathTo
  }) => {
    const all = byNumber(cards)
    const pages = Math.max(1, Math.ceil(all.length / perPage))
    const names = ordersOf(all)
    const order = sort.replace(/^-/, '')
    if (!names.includes(order)) throw invalid('sort', `This set cannot be sorted by \`${sort}\`.`, names)
    if (page > pages) throw invalid('page', `The set has ${pages} pages.`)
    const shown = sortedBy(all, sort).slice((page - 1) * perPage, page * perPage)
    const to = setLinks(path, { view, sort })
    const hrefOf = cardLinks(path)
    const list = { caption: `Cards of ${set.name ?? set.printed_code}, page ${page} of ${pages}`, cards: shown, hrefOf }
    return {
      title: set.name ?? set.printed_code,
      description: `${set.name ?? set.printed_code} (${set.printed_code}), a set of ${game.display_name}: ${formatCount(all.length)} numbers, ${formatCount(set.card_count)} printings, with rarities, languages and sources.`,
      crumbs: [gameCrumb(pathTo, { slug: game.slug, name: game.display_name })],
      sharing: { canonical: pathTo('pages/prices/set', { game: game.slug, set: set.code }) },
      main: (
        <>
          <Facts
            of={{
              Code: set.printed_code,
              Released: set.release_date ?? mirror?.released_note,
              Numbers: formatCount(all.length),
              'Total that sources declare': declaredText(mirror?.completeness),
              Printings: formatCount(set.card_count)
            }}
          />
          <h2>Cards</h2>
          <ul class="views" aria-label="How they are shown">
            {Object.entries({ faces: 'Faces', table: 'Table' }).map(([one, label]) => (
              <li>{one === view ? <strong>{label}</strong> : <a href={to({ view: one })}>{label}</a>}</li>
            ))}
            {(view === 'faces' ? names : names.filter(one => !headed.includes(one))).map(one => (
              <li>
                {one === order ? <strong>by {spoken(one)}</strong> : <a href={to({ sort: one })}>by {spoken(one)}</a>}
                {one === order && (
                  <>
                    {' '}
                    <a href={to({ sort: reversed(sort) })}>the other way round</a>
                  </>
                )}
              </li>
            ))}
          </ul>
          {view === 'faces' ? (
            <CardFaces {...list} />
          ) : (
            <CardTable {...list} sort={sort} sortTo={one => to({ sort: one })} />
          )}
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
          {mirror !== undefined && <CameIn of={mirror.printings_in} own={new Set(cards.map(({ sku }) => sku))} />}
          <p>
            <a href={feedbackPath(path, 'missing card')}>A card is missing</a>
          </p>
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

export const card = definePage({
  shows: { guide: CardGuideSchema },
  besides: { card: ShownCard, everything: EverythingSchema, evidence: EvidenceSchema },
  view: ({
    shown: {
      guide: { game, set, card, printings, ambiguous, main_printing_rule: rule, publication_boundary: boundary }
    },
    beside: {
      card: { data: document },
      everything: { data: everything },
      evidence: { data: evidence }
    },
    pathTo
  }) => ({
    title: titleOf(card),
    description: `${titleOf(card)} of ${set.name ?? set.printed_code} (${game.display_name}): all printings of the number with what tells them apart, facts with their sources, and what members offer.`,
    scripts: ['verify.js'],
    crumbs: [gameCrumb(pathTo, { slug: game.slug, name: game.display_name }), setCrumb(pathTo, game.slug, set)],
    sharing: { canonical: numberPath(pathTo, game.slug, set.code, card.card_number) },
    main: (
      <>
        {ambiguous && (
          <p class="note">
            The number is on {printings.length} printings of this set. {rule}
          </p>
        )}
        {document === undefined || everything === undefined || evidence === undefined ? (
          <>
            <Facts
              of={{
                Number: card.card_number,
                Rarity: card.rarity,
                Language: languageName(card.lang),
                SKU: <code>{card.sku}</code>
              }}
            />
            <Withheld boundary={boundary} />
            <Table
              caption="Printings in this set"
              rows={printings}
              columns={[
                { head: 'Printing', cell: ({ sku }) => <a href={`/product/${encodeURIComponent(sku)}`}>{sku}</a> },
                { head: 'Language', cell: ({ lang }) => languageName(lang) }
              ]}
            />
          </>
        ) : (
          <CardSheet
            card={document}
            everything={everything}
            evidence={evidence}
            pageOf={number => numberPath(pathTo, game.slug, set.code, number)}
          />
        )}
      </>
    )
  })
})

export const coverage = definePage({
  shows: { sources: SourceList, coverage: ShownCoverage },
  besides: { names: GameNames },
  view: ({
    shown: {
      sources: { sources },
      coverage
    },
    beside: { names }
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
              { head: 'Games', cell: ({ games }) => gameNamesOf(names.data, games) || 'none' }
            ]}
          />
          <Table
            caption="Games, and the sources that show their structure"
            rows={coverage.by_game}
            columns={[
              { head: 'Game', cell: ({ game_name: name, game_slug: slug }) => <a href={`/prices/${slug}`}>{name}</a> },
              { head: 'Cards seen', cell: ({ distinct_cards: cards }) => formatCount(cards), isNumber: true },
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
