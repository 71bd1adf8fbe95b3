import { Type, closed, nullable, reply, Text } from 'pantry/handler'
import { Boundary } from '../../cards/card-answers.ts'
import { defineHandler } from '../../define.ts'
import { Attribute, checkFilters, filterParameters, readFilter } from '../../cards/attributes.ts'
import { findNamedCards, nameReasons } from '../../cards/search/find-names.ts'
import { foundBody, foundMembers, searchBoundary } from '../../cards/search/find-cards.ts'
import { mostPrintings } from '../../cards/search/name-index.ts'
import { checkSigns, nameQuery, readName } from '../../cards/parameters.ts'

const mostShown = 100
const usual = 20

/** Searches cards by their name in any stored language. */
export default defineHandler({
  query: Type.Object({
    ...nameQuery,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostShown, default: usual, description: 'Most matches to show.' })
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: mostPrintings,
        default: 0,
        description: 'Matches to pass over; `next` has that of the page behind this one.'
      })
    )
  }),
  corpora: { attributes: Attribute },
  queryFrom: ({ attributes }) => filterParameters(attributes.entries),
  entries: { in: 'matches', key: 'sku' },
  reply: closed({
    input: closed({ game: nullable(Text), q: Text, filters: Type.Record(Text, Type.Union([Text, Type.Integer()])) }),
    matches: Type.Array(
      closed({
        game: Text,
        matched_name: Type.String({ description: 'The name that was found.' }),
        ...foundMembers,
        printings: Type.Integer({
          minimum: 1,
          description: 'Printings of this set and number with the name; `sku` is the first.'
        }),
        confidence: Type.Enum(['exact', 'fuzzy']),
        reason: Type.Enum([...nameReasons.exact, ...nameReasons.fuzzy])
      }),
      { maxItems: mostShown }
    ),
    summary: closed({
      count: Type.Integer({ minimum: 0, description: 'Matches in this answer.' }),
      best_confidence: Type.Enum(['exact', 'fuzzy', 'none']),
      found: Type.Integer({ minimum: 0, description: 'Matches on all pages: numbers of sets.' }),
      printings: Type.Integer({ minimum: 0, description: 'Printings of these numbers with such a name.' }),
      complete: Type.Boolean({
        description: `Whether \`found\` counts all that is held. At most ${mostPrintings.toLocaleString('en')} printings are looked at; where there are more, write more of the name.`
      }),
      more: Type.Boolean({
        description: 'Whether there are matches behind these, or more may be held than was looked at.'
      })
    }),
    next: nullable(Type.String({ pattern: '^/' }), 'The next page; null on the last one.'),
    publication_boundary: Boundary,
    next_step: nullable(Type.String({ pattern: '^/' }), 'All that is published of the best match.')
  }),
  async handle({ query, rawQuery, corpora, pathTo }, { games, names, search }) {
    const { game: named, q, limit = usual, offset = 0 } = query
    const text = readName(q)
    const game = named === undefined ? undefined : games.named(named).token
    checkFilters({ query, parameters: rawQuery.keys(), attributes: corpora.attributes.entries, game })
    const { asked, filter } = readFilter(query)
    const { cards, best, found, printings, isComplete } = await findNamedCards(names, search, {
      text,
      game,
      filter,
      offset,
      limit
    })
    checkSigns(text, found > 0)
    const behind = offset + limit
    const next =
      behind >= found
        ? null
        : `${pathTo('search/names')}?${String(
            new URLSearchParams({
              ...(named === undefined ? {} : { game: named }),
              q,
              ...Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)])),
              limit: String(limit),
              offset: String(behind)
            })
          )}`
    return reply({
      input: { game: named ?? null, q, filters: asked },
      matches: cards.map(({ card, name, printings, confidence, reason }) => ({
        game: card.game,
        matched_name: name,
        ...foundBody(card),
        printings,
        confidence,
        reason
      })),
      summary: {
        count: cards.length,
        best_confidence: best?.confidence ?? 'none',
        found,
        printings,
        complete: isComplete,
        more: next !== null || !isComplete
      },
      next,
      publication_boundary: searchBoundary,
      next_step: best === undefined ? null : pathTo('cards/everything', { sku: best.sku })
    })
  }
})
