import { randomInt } from 'node:crypto'
import { closed, Count, invalid, notFound, nullable, reply, SurfaceError, Text, Type } from 'pantry/handler'
import {
  batchBody,
  batchLimit,
  BatchSchema,
  Boundary,
  cardBody,
  cardLinks,
  everythingOf,
  EverythingSchema,
  RandomCardSchema,
  SkuText
} from '../cards/card-answers.ts'
import { CardChange, cardNotFound } from '../cards/card-history.ts'
import { fromAllOf, fromSources } from '../cards/documents/parts.ts'
import { Path } from '../cards/documents/schemas.ts'
import { checkFilters, filterParameters, readFilter, Attribute } from '../cards/attributes.ts'
import { wantedOf } from '../cards/filtered-draw.ts'
import { requestedSku, searchQuery } from '../cards/parameters.ts'
import { findPlaces, foundBody, foundMembers, searchBoundary } from '../cards/search/find-cards.ts'
import { canonicalCode, resolveSkus } from '../cards/sku.ts'
import { invalidSku } from '../common/errors.ts'
import { defineHandler } from '../define.ts'
import { CardFaceSchema, faceBody, FaceSizeName } from '../faces/face-answer.ts'
import { evidenceBody, EvidenceSchema } from '../market/evidence.ts'

const fineness = 2 ** 47
const params = Type.Object({
  sku: Type.String({ minLength: 1, maxLength: 160, description: 'Canonical card SKU, in any letter case.' })
})

/**
 * Draws one card. All cards that are what is asked for are equally likely, whatever their set; draws are independent.
 */
export const random = defineHandler({
  query: Type.Object({
    game: Type.Optional(searchQuery.game),
    set: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Set code, in any letter case. Without `game`, the sets of all games with this code.'
      })
    ),
    rarity: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        pattern: '\\S',
        description: 'The rarity as the game writes it, in any letter case, or in words. It needs `game`.'
      })
    )
  }),
  corpora: { attributes: Attribute },
  queryFrom: ({ attributes }) => filterParameters(attributes.entries),
  reply: RandomCardSchema,
  async handle({ query, rawQuery, corpora, pathTo }, { catalogue, drawCard, drawFiltered, games }) {
    const game = query.game === undefined ? undefined : games.named(query.game).token
    const set = query.set === undefined ? undefined : canonicalCode(query.set)
    // What is no filter is named by `X-Ignored-Parameters`, as on other surfaces.
    checkFilters({ query, parameters: rawQuery.keys(), attributes: corpora.attributes.entries, game })
    const { asked } = readFilter(query)
    const filters = [...(query.rarity === undefined ? [] : ['rarity']), ...Object.keys(asked)]
    const chance = randomInt(fineness) / fineness
    const [filter] = filters
    if (filter !== undefined && game === undefined)
      throw invalid('game', `Write \`game\` beside \`${filter}\`: each game has values of its own.`)
    const drawn =
      filter === undefined || game === undefined
        ? await drawCard({ game, set }, chance)
        : await drawFiltered(game, wantedOf(query, { set, spoken: games.spokenRarities(game) }), chance)
    const [held] = drawn === undefined ? [] : await catalogue.cardsInBrief([drawn.sku])
    if (drawn === undefined || held === undefined) {
      if (filter !== undefined && game !== undefined && (await drawCard({ game, set }, 0)) !== undefined)
        throw new SurfaceError('NOT_FOUND', `No card of \`${set ?? game}\` is all that is asked for.`, {
          details: { field: filter, filters, values: `${pathTo('search/values')}?game=${game}` }
        })
      if (set === undefined) throw notFound('card of the game', game ?? 'any', { field: 'game' })
      const sets = game === undefined ? pathTo('universal/games') : pathTo('universal/sets', { game })
      throw notFound(game === undefined ? 'set' : `set of the game \`${game}\` with the code`, set, {
        field: 'set',
        sets
      })
    }
    return reply(
      {
        '@kind': 'random-card',
        game: game ?? null,
        drawn_from: drawn.drawn_from,
        card: cardBody(held),
        links: cardLinks(held.sku, pathTo)
      },
      fromSources(held.sources)
    )
  }
})

export const everything = defineHandler({
  params,
  reply: EverythingSchema,
  async handle({ params, pathTo }, { catalogue, cardHistory, sources }) {
    const sku = requestedSku(params.sku, pathTo)
    const found = await everythingOf(catalogue, sources, sku, pathTo)
    if (found === undefined) throw await cardNotFound(params.sku, cardHistory)
    return reply(found.body, fromSources(found.sources))
  }
})

export const face = defineHandler({
  params,
  query: Type.Object({ size: Type.Optional(FaceSizeName) }),
  reply: CardFaceSchema,
  version: ({ kept }) => kept.version(),
  async handle({ params, query: { size = 'poster' }, pathTo }, { catalogue, cardHistory, drawFace }) {
    const sku = requestedSku(params.sku, pathTo)
    const found = await catalogue.cardInFull(sku)
    if (found === undefined) throw await cardNotFound(params.sku, cardHistory)
    return reply(faceBody(sku, size, drawFace(found, size), pathTo), fromSources(found.card.sources))
  }
})

export const evidence = defineHandler({
  params: Type.Object({ sku: SkuText }),
  reply: EvidenceSchema,
  async handle({ params, pathTo }, { catalogue, cardHistory, sources, auctions }) {
    const [resolved = { status: 'invalid' } as const] = await resolveSkus([params.sku], skus =>
      catalogue.evidenceOf(skus)
    )
    switch (resolved.status) {
      case 'found':
        return reply(
          await evidenceBody(
            resolved.sku,
            resolved.card,
            { catalogue, sources, offers: await auctions.offersOf(resolved.sku, pathTo) },
            pathTo
          ),
          fromSources([...resolved.card.sources, 'participants'])
        )
      case 'invalid':
        throw new SurfaceError(
          invalidSku,
          '`sku` is not a full SKU: write it as <game>-<set>-<number>-<lang>[-<variant>].',
          { details: { field: 'sku', documented_at: pathTo('universal/encoding') } }
        )
      case 'absent':
        throw await cardNotFound(params.sku, cardHistory)
      case 'ambiguous':
        throw new SurfaceError(
          'NOT_FOUND',
          `\`${params.sku}\` can be read as more than one card that is held. Ask for one of the candidates.`,
          { details: { field: 'sku', canonical_sku: resolved.canonical, candidate_skus: resolved.candidates } }
        )
    }
  }
})

const maxChanges = 100

/** Returns the latest changes of a card, newest first, also of a card that was withdrawn. */
export const changes = defineHandler({
  params,
  reply: closed({
    '@kind': Type.Literal('card-changes'),
    sku: Text,
    held: Type.Boolean({ description: 'Whether the card is held now.' }),
    moved_to: nullable(
      closed({ sku: Text, universal: Path }),
      'What the card became, where it is held under another SKU.'
    ),
    limit: Count,
    returned: Count,
    changes: Type.Array(CardChange)
  }),
  async handle({ params, pathTo }, { cardHistory }) {
    const sku = requestedSku(params.sku, pathTo)
    const [changes, present] = await Promise.all([cardHistory.changes(sku, maxChanges), cardHistory.bySku(sku)])
    if (changes.length === 0) throw await cardNotFound(params.sku, cardHistory)
    return reply(
      {
        '@kind': 'card-changes',
        sku,
        held: present?.sku === sku,
        moved_to:
          present === undefined || present.sku === sku
            ? null
            : { sku: present.sku, universal: pathTo('universal/card', { sku: present.sku }) },
        limit: maxChanges,
        returned: changes.length,
        changes
      },
      fromAllOf(changes.map(({ source }) => ({ sources: source === null ? [] : [source] })))
    )
  }
})

export const batchPost = defineHandler({
  body: {
    limitBytes: 131_072,
    schema: closed(
      {
        skus: Type.Array(
          Type.String({
            pattern: '\\S',
            maxLength: 160,
            description: 'A card SKU: canonical, in any letter case, or in an older form.'
          }),
          { minItems: 1, maxItems: batchLimit, description: 'The SKUs to resolve, in the order of the answer.' }
        )
      },
      { title: 'CardBatchRequest' }
    )
  },
  reply: BatchSchema,
  async handle({ body, pathTo }, { catalogue }) {
    const requested = body.skus.map(sku => sku.trim())
    const resolved = await resolveSkus(requested, skus => catalogue.cardsInBrief(skus))
    return reply(
      batchBody(requested, resolved, pathTo),
      fromAllOf(resolved.map(one => (one.status === 'found' ? one.card : undefined)))
    )
  }
})

const numbersLimit = 100
const numberStatuses = ['found', 'not_held', 'unknown_game'] as const
const mostPrintings = 20

/** Finds cards by game, set and number, one result for each, in order. Sets and numbers are compared as searches do. */
export const numbersPost = defineHandler({
  body: {
    limitBytes: 65_536,
    schema: closed(
      {
        cards: Type.Array(
          closed({
            game: searchQuery.game,
            set: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Code of the set.' }),
            number: Type.String({
              minLength: 1,
              maxLength: 100,
              pattern: '\\S',
              description: 'Number as printed, with the set or without it.'
            })
          }),
          { minItems: 1, maxItems: numbersLimit, description: 'The cards to find, in the order of the answer.' }
        )
      },
      { title: 'CardNumbersRequest' }
    )
  },
  reply: closed({
    '@kind': Type.Literal('card-numbers'),
    limit: Count,
    requested_count: Count,
    found_count: Count,
    results: Type.Array(
      closed({
        input: closed({ game: Text, set: Text, number: Text }),
        status: Type.Enum([...numberStatuses], { description: '`not_held` says nothing of whether the card exists.' }),
        printings: Type.Array(closed(foundMembers), { maxItems: mostPrintings }),
        more: Type.Boolean({ description: 'Whether more printings are held than are shown.' })
      })
    ),
    publication_boundary: Boundary
  }),
  async handle({ body: { cards } }, { games, search }) {
    const known = cards.map(({ game, set, number }) => ({
      game: games.find(game),
      set: set.trim(),
      number: number.trim()
    }))
    const places = known.flatMap(({ game, ...place }) => (game === undefined ? [] : [{ game, ...place }]))
    const found = await findPlaces(search, places, mostPrintings)
    let at = 0
    const results = known.map(({ game }) => (game === undefined ? undefined : found[at++]))
    return reply(
      {
        '@kind': 'card-numbers',
        limit: numbersLimit,
        requested_count: cards.length,
        found_count: results.filter(result => result !== undefined && result.cards.length > 0).length,
        results: cards.map((input, place) => {
          const { cards: printings = [], more = false } = results[place] ?? {}
          const status = results[place] === undefined ? 'unknown_game' : printings.length > 0 ? 'found' : 'not_held'
          return { input, status, printings: printings.map(foundBody), more } as const
        }),
        publication_boundary: searchBoundary
      },
      fromAllOf(found.flatMap(({ cards }) => cards))
    )
  }
})
