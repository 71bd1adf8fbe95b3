import { closed, nullable, NullableText, Path, reply, Text, Type } from 'pantry/handler'
import { Attribute, checkFilters, filterParameters, readFilter } from '../cards/attributes.ts'
import { Boundary, everythingOf, EverythingSchema } from '../cards/card-answers.ts'
import { fromAllOf } from '../cards/documents/parts.ts'
import { checkSigns, nameQuery, readName, searchQuery } from '../cards/parameters.ts'
import {
  findCards,
  findInGames,
  foundBody,
  foundMembers,
  inLanguage,
  matchBody,
  MatchSchema,
  searchBoundary,
  summarise,
  SummarySchema
} from '../cards/search/find-cards.ts'
import { findNamedCards } from '../cards/search/find-names.ts'
import { completeName, nameReasons } from '../cards/search/match-names.ts'
import { maxNumbers, maxSuggestions } from '../cards/search/name-index.ts'
import { scriptNames } from '../cards/search/scripts.ts'
import { defineHandler } from '../define.ts'

const NextStep = nullable(Path, 'All that is published of the best match.')

/**
 * Finds the cards of a game by printed number or SKU, with at most two queries one after the other. An empty result is
 * not an error.
 */
export const cards = defineHandler({
  query: Type.Object({
    ...searchQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most matches to show.' }))
  }),
  entries: { in: 'matches', key: 'sku' },
  reply: closed({
    input: closed({ game: Text, q: Text }),
    matches: Type.Array(MatchSchema, { maxItems: 100 }),
    summary: SummarySchema,
    publication_boundary: Boundary,
    next_step: NextStep
  }),
  async handle({ query: { game, q, limit = 20 }, pathTo }, { games, search }) {
    const findings = await findCards(search, games.named(game), q, limit)
    const shown = findings.matches.slice(0, limit)
    const [best] = shown
    return reply(
      {
        input: { game, q },
        matches: shown.map(matchBody),
        summary: summarise(findings, limit).body,
        publication_boundary: searchBoundary,
        next_step: best === undefined ? null : pathTo('cards/everything', { sku: best.card.sku })
      },
      fromAllOf(shown.map(({ card }) => card))
    )
  }
})

const maxMatches = 40

/**
 * Finds the cards of any game by SKU, or by a printed number that contains its set, with one round trip to the
 * database. An empty result is not an error.
 */
export const numbers = defineHandler({
  query: Type.Object({ q: searchQuery.q }),
  entries: { in: 'matches', key: 'sku' },
  reply: closed({
    input: closed({ q: Text }),
    matches: Type.Array(MatchSchema, { maxItems: maxMatches }),
    summary: SummarySchema,
    publication_boundary: Boundary,
    next_step: NextStep
  }),
  async handle({ query: { q }, pathTo }, { games, search }) {
    const findings = await findInGames(search, games.all, q)
    const shown = findings.matches.slice(0, maxMatches)
    const [best] = shown
    return reply(
      {
        input: { q },
        matches: shown.map(matchBody),
        summary: summarise(findings, maxMatches).body,
        publication_boundary: searchBoundary,
        next_step: best === undefined ? null : pathTo('cards/everything', { sku: best.card.sku })
      },
      fromAllOf(shown.map(({ card }) => card))
    )
  }
})

const maxCards = 100

/**
 * Searches the cards of a game. If the first match is exact and all matches are printings of one card, returns also
 * everything published about that match.
 */
export const everything = defineHandler({
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
  reply: closed({
    input: closed({ game: Text, q: Text, lang: NullableText }),
    matches: Type.Array(MatchSchema, { maxItems: maxCards }),
    summary: SummarySchema,
    publication_boundary: Boundary,
    folded_sku: nullable(Text, 'The card of `everything`: the first match.'),
    everything: nullable(
      EverythingSchema,
      'Null unless the first match is exact and all of them are printings of one card.'
    ),
    composition: closed({ composer_call: Type.Enum(['ok', 'absent']) })
  }),
  async handle({ query: { game, q, lang }, pathTo }, { catalogue, games, search, sources }) {
    const all = await findCards(search, games.named(game), q)
    const findings = lang === undefined ? all : inLanguage(all, lang.toLowerCase())
    const shown = findings.matches.slice(0, maxCards)
    const [best] = shown
    const summary = summarise(findings, maxCards)
    const sku = best?.confidence === 'exact' && !summary.ambiguous ? best.card.sku : undefined
    const everything = sku === undefined ? undefined : await everythingOf(catalogue, sources, sku, pathTo)
    return reply(
      {
        input: { game, q, lang: lang ?? null },
        matches: shown.map(matchBody),
        summary: summary.body,
        publication_boundary: searchBoundary,
        folded_sku: everything === undefined ? null : (sku ?? null),
        everything: everything?.body ?? null,
        composition: { composer_call: everything === undefined ? 'absent' : 'ok' }
      },
      fromAllOf([...shown.map(({ card }) => card), everything])
    )
  }
})

const maxNames = 100
const usualNames = 20
const maxNamesShown = 20

const nameVerdict = {
  confidence: Type.Enum(['exact', 'fuzzy']),
  reason: Type.Enum([...nameReasons.exact, ...nameReasons.fuzzy])
}

export const names = defineHandler({
  query: Type.Object({
    ...nameQuery,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxNames, default: usualNames, description: 'Most matches to show.' })
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxNumbers,
        default: 0,
        description: 'Matches to pass over; `next` has that of the page behind this one.'
      })
    )
  }),
  corpora: { attributes: Attribute },
  queryFrom: ({ attributes }) => filterParameters(attributes.entries),
  rawQuery: true,
  entries: { in: 'matches', key: 'sku' },
  reply: closed({
    input: closed({ game: NullableText, q: Text, filters: Type.Record(Text, Type.Union([Text, Type.Integer()])) }),
    matches: Type.Array(
      closed({
        game: Text,
        matched_name: Type.String({ description: 'The name that was found.' }),
        ...foundMembers,
        printings: Type.Integer({
          minimum: 1,
          description: 'Printings of this set and number with the name; `sku` is the first.'
        }),
        ...nameVerdict
      }),
      { maxItems: maxNames }
    ),
    names: Type.Array(
      closed({
        game: Text,
        name: Text,
        numbers: Type.Integer({ minimum: 1, description: 'Numbers of sets that were found with the name.' }),
        printings: Type.Integer({ minimum: 1, description: 'Printings of these numbers.' }),
        ...nameVerdict
      }),
      {
        maxItems: maxNamesShown,
        description: 'The first names that were found, on whatever page their cards are. `matches` is in their order.'
      }
    ),
    not_held: Type.Array(Type.Enum(scriptNames), {
      description: 'Scripts of `q` in which no name is held. Kana are then read in Latin letters.'
    }),
    summary: closed({
      count: Type.Integer({ minimum: 0, description: 'Matches in this answer.' }),
      best_confidence: Type.Enum(['exact', 'fuzzy', 'none']),
      found: Type.Integer({ minimum: 0, description: 'Matches on all pages: numbers of sets.' }),
      printings: Type.Integer({ minimum: 0, description: 'Printings of these numbers with such a name.' }),
      complete: Type.Boolean({
        description: `Whether \`found\` counts all that is held. A text finds ${maxNumbers.toLocaleString('en')} numbers at most; where there are more, write more of the name.`
      }),
      more: Type.Boolean({
        description: 'Whether there are matches behind these, or more may be held than was looked at.'
      })
    }),
    next: nullable(Path, 'The next page; null on the last one.'),
    publication_boundary: Boundary,
    next_step: NextStep
  }),
  async handle({ query, rawQuery, corpora, pathTo }, { games, names, search }) {
    const { game: named, q, limit = usualNames, offset = 0 } = query
    const text = readName(q)
    const game = named === undefined ? undefined : games.named(named).token
    checkFilters({ query, parameters: rawQuery.keys(), attributes: corpora.attributes.entries, game })
    const { asked, filter } = readFilter(query)
    const {
      cards,
      names: foundNames,
      sourcesOfNames,
      best,
      found,
      printings,
      isComplete,
      scripts
    } = await findNamedCards(names, search, {
      text,
      game,
      spoken: games.spokenRarities(game),
      others: games.readNumber(q, game),
      filter,
      offset,
      limit
    })
    checkSigns(text, found > 0)
    const behind = offset + limit
    const isLast = behind >= found
    const next = isLast
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
    return reply(
      {
        input: { game: named ?? null, q, filters: asked },
        matches: cards.map(({ card, name, printings, confidence, reason }) => ({
          game: card.game,
          matched_name: name,
          ...foundBody(card),
          printings,
          confidence,
          reason
        })),
        names: foundNames.slice(0, maxNamesShown),
        not_held: scripts,
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
      },
      {
        ...fromAllOf([
          ...cards.map(({ card }) => card),
          ...sourcesOfNames.slice(0, maxNamesShown).map(sources => ({ sources }))
        ]),
        ...(isLast ? {} : { next: { offset: behind } })
      }
    )
  }
})

/** Suggests card names that complete the typed text, with one lookup in bounded index ranges. */
export const suggest = defineHandler({
  query: Type.Object(nameQuery),
  reply: closed({
    input: closed({ game: NullableText, q: Text }),
    suggestions: Type.Array(
      closed({
        name: Text,
        game: Text,
        printings: Type.Integer({ minimum: 1, description: 'Printings with this name.' }),
        sku: Type.String({ description: 'The first of them.' }),
        confidence: Type.Enum(['exact', 'fuzzy'])
      }),
      { maxItems: maxSuggestions }
    )
  }),
  async handle({ query: { game: named, q } }, { games, names }) {
    const text = readName(q)
    const found = await completeName(names, text, named === undefined ? undefined : games.named(named).token)
    checkSigns(text, found.length > 0)
    const shown = found.slice(0, maxSuggestions)
    const suggestions = shown.map(({ found: { name, game, printings, sku }, confidence }) => ({
      name,
      game,
      printings,
      sku,
      confidence
    }))
    return reply({ input: { game: named ?? null, q }, suggestions }, fromAllOf(shown.map(({ found }) => found)))
  }
})
