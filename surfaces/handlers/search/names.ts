import { Type, closed, Count, nullable, reply, Text } from 'pantry/handler'
import { Boundary } from '../../cards/schemas.ts'
import { defineHandler } from '../../define.ts'
import { Attribute } from '../../import/attribute.ts'
import { checkFilters, filterParameters, readFilter } from '../../search/attribute-filter.ts'
import { nameReasons } from '../../search/find-names.ts'
import { foundBody, foundMembers, searchBoundary } from '../../search/matches.ts'
import { findNamedCards } from '../../search/named-cards.ts'
import { nameQuery, readName } from '../../search/query.ts'

/** Cards by their name in any language held. */
export default defineHandler({
  query: Type.Object({ ...nameQuery, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Most matches to show.' })) }),
  corpora: { attributes: Attribute },
  queryFrom: ({ attributes }) => filterParameters(attributes.entries),
  entries: { in: 'matches', key: 'sku' },
  reply: closed({
    input: closed({ game: nullable(Text), q: Text, filters: Type.Record(Text, Type.Union([Text, Type.Integer()])) }),
    matches: Type.Array(closed({
      game: Text,
      matched_name: Type.String({ description: 'The name that was found.' }),
      ...foundMembers,
      printings: Type.Integer({ minimum: 1, description: 'Printings of this set and number with the name, of those that were looked at; `sku` is the first.' }),
      confidence: Type.Enum(['exact', 'fuzzy']),
      reason: Type.Enum([...nameReasons.exact, ...nameReasons.fuzzy])
    }), { maxItems: 50 }),
    summary: closed({
      count: Type.Integer({ minimum: 0, description: 'Matches in this answer.' }),
      best_confidence: Type.Enum(['exact', 'fuzzy', 'none']),
      found: Count,
      more: Type.Boolean({ description: 'Whether more was found than this answer holds, or more may be held than was looked at.' })
    }),
    publication_boundary: Boundary,
    next_step: nullable(Type.String({ pattern: '^/' }), 'All that is published of the best match.')
  }),
  async handle ({ query, rawQuery, corpora, pathTo }, { games, names, search }) {
    const { game: named, q, limit = 20 } = query
    const game = named === undefined ? undefined : games.named(named).token
    checkFilters({ query, parameters: rawQuery.keys(), attributes: corpora.attributes.entries, game })
    const { asked, filter } = readFilter(query)
    const { cards, more } = await findNamedCards(names, search, { text: readName(q), game, filter })
    const shown = cards.slice(0, limit)
    return reply({
      input: { game: named ?? null, q, filters: asked },
      matches: shown.map(({ card, name, printings, confidence, reason }) => ({ game: card.game, matched_name: name, ...foundBody(card), printings, confidence, reason })),
      summary: { count: shown.length, best_confidence: cards[0]?.confidence ?? 'none', found: cards.length, more: more || cards.length > limit },
      publication_boundary: searchBoundary,
      next_step: cards[0] === undefined ? null : pathTo('cards/everything', { sku: cards[0].card.sku })
    })
  }
})
