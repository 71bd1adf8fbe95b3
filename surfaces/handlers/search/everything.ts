import { Type, nullable, NullableText, reply } from 'pantry/handler'
import { Boundary, everythingOf, EverythingSchema } from '../../cards/card-answers.ts'
import { searchQuery } from '../../cards/parameters.ts'
import {
  findCards,
  inLanguage,
  matchBody,
  MatchSchema,
  searchBoundary,
  summarise,
  SummarySchema
} from '../../cards/search/find-cards.ts'
import { defineHandler } from '../../define.ts'

const mostMatches = 100

/**
 * Searches cards, and returns everything published about the card if the match is exact and all matches are printings
 * of it.
 */
export default defineHandler({
  query: Type.Object({
    ...searchQuery,
    lang: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        maxLength: 35,
        description: 'Language tag (BCP 47) of the printings wanted, for example `en` or `ja`.'
      })
    )
  }),
  reply: Type.Object(
    {
      input: Type.Object(
        { game: Type.String(), q: Type.String(), lang: NullableText },
        { additionalProperties: false }
      ),
      matches: Type.Array(MatchSchema, { maxItems: mostMatches }),
      summary: SummarySchema,
      publication_boundary: Boundary,
      folded_sku: nullable(Type.String(), 'The card of `everything`: the first match.'),
      everything: nullable(
        EverythingSchema,
        'Null unless the first match is exact and all of them are printings of one card.'
      ),
      composition: Type.Object({ composer_call: Type.Enum(['ok', 'absent']) }, { additionalProperties: false })
    },
    { additionalProperties: false }
  ),
  async handle({ query: { game, q, lang } }, { catalogue, games, search, sources }) {
    const all = await findCards(search, games.named(game), q)
    const findings = lang === undefined ? all : inLanguage(all, lang.toLowerCase())
    const summary = summarise(findings, mostMatches)
    const [best] = findings.matches
    const one = best?.confidence === 'exact' && !summary.ambiguous ? best.card.sku : undefined
    const everything = one === undefined ? undefined : await everythingOf(catalogue, sources, one)
    return reply({
      input: { game, q, lang: lang ?? null },
      matches: findings.matches.slice(0, mostMatches).map(matchBody),
      summary: summary.body,
      publication_boundary: searchBoundary,
      folded_sku: everything === undefined ? null : (one ?? null),
      everything: everything?.body ?? null,
      composition: { composer_call: everything === undefined ? 'absent' : 'ok' }
    })
  }
})
