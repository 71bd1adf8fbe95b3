import { closed, Count, invalid, nullable, NullableText, Path, reply, Text, Type } from 'pantry/handler'
import { Attribute } from '../../cards/attributes.ts'
import { Boundary } from '../../cards/card-answers.ts'
import { fromAllOf } from '../../cards/documents/parts.ts'
import { facetQuery, nameQuery } from '../../cards/parameters.ts'
import { foundBody, foundMembers, searchBoundary, cardReasons } from '../../cards/search/find-cards.ts'
import { facetNames, findFaceted } from '../../cards/search/find-faceted.ts'
import { maxRead } from '../../cards/search/find-queried.ts'
import { nameReasons } from '../../cards/search/match-names.ts'
import { maxNumbers, maxSuggestions } from '../../cards/search/name-index.ts'
import { queryFieldsOf } from '../../cards/search/query-fields.ts'
import { maxQueryLength } from '../../cards/search/query-text.ts'
import { scriptNames } from '../../cards/search/scripts.ts'
import { defineHandler } from '../../define.ts'

const maxShown = 100
const usual = 20
const maxValues = 200

/** Finds cards as people search, with counts of what they have in common. An empty result is not an error. */
export default defineHandler({
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: maxQueryLength,
      pattern: '\\S',
      description: 'A name, a number as it is printed, a SKU or a query, as in `luffy c:red`.'
    }),
    game: nameQuery.game,
    ...facetQuery,
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxNumbers, default: 1, description: 'Which page of the result.' })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxShown, default: usual, description: 'Cards of a page at most.' })
    )
  }),
  corpora: { attributes: Attribute },
  reply: closed({
    input: closed({
      q: Text,
      game: NullableText,
      set: NullableText,
      rarity: NullableText,
      colour: NullableText,
      type: NullableText,
      page: Type.Integer({ minimum: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: maxShown })
    }),
    read_as: nullable(Text, 'The query as it was read; null for words.'),
    matches: Type.Array(
      closed({
        game: Text,
        ...foundMembers,
        set_name: NullableText,
        rarity: NullableText,
        rarities: Type.Array(Text, { description: 'The rarities of the printings that were found.' }),
        printings: Type.Integer({
          minimum: 1,
          description: 'Printings of the card that were found; the match shows the one that is meant, or the first.'
        }),
        matched_name: nullable(Text, 'The name that was found; null where a number or a query found the card.'),
        confidence: nullable(Type.Enum(['exact', 'fuzzy']), 'Null for a query.'),
        reason: nullable(
          Type.Enum([...cardReasons.exact, ...cardReasons.fuzzy, ...nameReasons.exact, ...nameReasons.fuzzy]),
          'Null for a query.'
        )
      }),
      { maxItems: maxShown }
    ),
    facets: Type.Array(
      closed({
        name: Type.Enum([...facetNames], { description: 'The parameter that narrows the result by a value.' }),
        chosen: NullableText,
        found: Type.Integer({ minimum: 0, description: 'Different values.' }),
        values: Type.Array(closed({ value: Text, label: Text, cards: Type.Integer({ minimum: 1 }) }), {
          maxItems: maxValues,
          description: 'The commonest first, with how many cards of the whole result have a printing with it.'
        })
      })
    ),
    near: Type.Array(closed({ name: Text, game: Text, printings: Type.Integer({ minimum: 1 }) }), {
      maxItems: maxSuggestions,
      description: 'Names that are like the text, where it finds nothing.'
    }),
    not_held: Type.Array(Type.Enum(scriptNames), { description: 'Scripts of `q` in which no name is held.' }),
    summary: closed({
      count: Type.Integer({ minimum: 0, description: 'Cards on this page.' }),
      found: Type.Integer({ minimum: 0, description: 'Cards on all pages.' }),
      printings: Type.Integer({ minimum: 0, description: 'Printings of these cards that were found.' }),
      pages: Count,
      counted: Type.Integer({
        minimum: 0,
        description: `Cards that the facets count: those with the first ${maxRead.toLocaleString('en')} printings.`
      }),
      without_facets: Type.Integer({
        minimum: 0,
        description: 'Cards that the text finds in the game without the other facets.'
      }),
      complete: Type.Boolean({ description: 'Whether all that is held was looked at.' })
    }),
    cut: nullable(Text, 'Why the result is not complete, and what to write; null for a complete one.'),
    next: nullable(Path, 'The next page; null on the last one.'),
    publication_boundary: Boundary,
    next_step: nullable(Path, 'All that is published of the first match.')
  }),
  async handle({ query, corpora, pathTo }, { names, search, queries, games }) {
    const { q, game, set, rarity, colour, type, page = 1, limit = usual } = query
    const asked = { game: game === undefined ? undefined : games.named(game).token, set, rarity, colour, type }
    const fields = queryFieldsOf(corpora.attributes.entries, games)
    const result = await findFaceted(
      { names, search, queries, games, fields },
      { q, chosen: asked, offset: (page - 1) * limit, limit }
    )
    const { matches, facets, near, scripts, cut, found, printings, counted, all, readAs } = result
    const pages = Math.ceil(found / limit)
    if (page > Math.max(1, pages))
      throw invalid('page', `\`page\` is from 1 to ${String(Math.max(1, pages))}: the result has no more pages.`)
    const [best] = matches
    const next = Object.entries({ q, game, set, rarity, colour, type, limit, page: page + 1 })
    return reply(
      {
        input: {
          q,
          game: game ?? null,
          set: set ?? null,
          rarity: rarity ?? null,
          colour: colour ?? null,
          type: type ?? null,
          page,
          limit
        },
        read_as: readAs ?? null,
        matches: matches.map(({ card, rarities, printings, matchedName, verdict }) => ({
          game: card.game,
          ...foundBody(card),
          set_name: card.set_names[0] ?? null,
          rarity: card.rarity,
          rarities: [...rarities],
          printings,
          matched_name: matchedName,
          confidence: verdict?.confidence ?? null,
          reason: verdict?.reason ?? null
        })),
        facets: facets.map(({ name, values }) => ({
          name,
          chosen: asked[name] ?? null,
          found: values.length,
          values: values.slice(0, maxValues)
        })),
        near: near.map(({ name, game, printings }) => ({ name, game, printings })),
        not_held: [...scripts],
        summary: {
          count: matches.length,
          found,
          printings,
          pages,
          counted,
          without_facets: all,
          complete: cut === undefined
        },
        cut: cut ?? null,
        next:
          page >= pages
            ? null
            : `${pathTo('search/found')}?${String(
                new URLSearchParams(
                  next.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
                )
              )}`,
        publication_boundary: searchBoundary,
        next_step: best === undefined ? null : pathTo('cards/everything', { sku: best.card.sku })
      },
      fromAllOf([...matches.map(({ card }) => card), ...near])
    )
  }
})
