import { closed, nullable, NullableText, Path, reply, Text, Type } from 'pantry/handler'
import { Attribute } from '../../cards/attributes.ts'
import { Boundary } from '../../cards/card-answers.ts'
import { fromAllOf } from '../../cards/documents/parts.ts'
import { nameQuery } from '../../cards/parameters.ts'
import { compileQuery } from '../../cards/search/compile-query.ts'
import { foundBody, foundMembers, searchBoundary } from '../../cards/search/find-cards.ts'
import { findQueried, groupings, maxMatches, maxRead } from '../../cards/search/find-queried.ts'
import { queryFieldsOf } from '../../cards/search/query-fields.ts'
import { maxQueryLength } from '../../cards/search/query-text.ts'
import { defineHandler } from '../../define.ts'

const maxShown = 100
const usual = 20

export default defineHandler({
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: maxQueryLength,
      description:
        'As in `luffy c:red cost<=3 -t:event (set:op01 OR set:op05) sort:-power`; `/api/v1/search/fields` has the fields.'
    }),
    game: nameQuery.game,
    by: Type.Optional(Type.Enum([...groupings], { default: 'card', description: 'What a match is.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxShown, default: usual, description: 'Matches at most.' })
    ),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'From `next`.' }))
  }),
  corpora: { attributes: Attribute },
  reply: closed({
    input: closed({ q: Text, game: NullableText, by: Type.Enum([...groupings]) }),
    read_as: Type.String({ description: 'The query as it was read.' }),
    matches: Type.Array(
      closed({
        game: Text,
        ...foundMembers,
        rarity: NullableText,
        released_on: nullable(Text, 'The day of the set (ISO 8601).'),
        printings: Type.Integer({
          minimum: 1,
          description: 'Printings of the card that the query means; `sku` is the first in the order that is asked for.'
        })
      }),
      { maxItems: maxShown }
    ),
    summary: closed({
      count: Type.Integer({ minimum: 0, description: 'Matches in this answer.' }),
      found: Type.Integer({ minimum: 0, description: 'Matches on all pages.' }),
      printings: Type.Integer({ minimum: 0, description: 'Printings on all pages.' }),
      complete: Type.Boolean({
        description: `Whether \`found\` counts all that is held. A query reads ${maxRead.toLocaleString('en')} printings and finds ${maxMatches.toLocaleString('en')} matches at most.`
      }),
      more: Type.Boolean({ description: 'Whether there are matches behind these, or more may be held.' })
    }),
    cut: nullable(Text, 'Why the answer is not complete, and what to write; null for a complete one.'),
    next: nullable(Path, 'The next page; null on the last one.'),
    publication_boundary: Boundary,
    next_step: nullable(Path, 'All that is published of the first match.')
  }),
  async handle({ query, corpora, pathTo }, { names, queries, games }) {
    const { q, game: named, by = 'card', limit = usual, cursor } = query
    const fields = queryFieldsOf(corpora.attributes.entries, games)
    const game = named === undefined ? undefined : games.named(named).token
    const compiled = compileQuery(q, fields, name => games.find(name)?.token, game)
    const page = await findQueried({ names, queries, games }, compiled, { by, limit, cursor })
    const { matches, best, found, printings, cut, next } = page
    return reply(
      {
        input: { q, game: named ?? null, by },
        read_as: compiled.text,
        matches: matches.map(({ card, printings }) => ({
          game: card.game,
          ...foundBody(card),
          rarity: card.rarity,
          released_on: card.released_on,
          printings
        })),
        summary: {
          count: matches.length,
          found,
          printings,
          complete: cut === undefined,
          more: next !== undefined || cut !== undefined
        },
        cut: cut ?? null,
        next:
          next === undefined
            ? null
            : `${pathTo('search/query')}?${String(
                new URLSearchParams({
                  q,
                  ...(named === undefined ? {} : { game: named }),
                  by,
                  limit: String(limit),
                  cursor: next
                })
              )}`,
        publication_boundary: searchBoundary,
        next_step: best === undefined ? null : pathTo('cards/everything', { sku: best.sku })
      },
      fromAllOf(matches.map(({ card }) => card))
    )
  }
})
