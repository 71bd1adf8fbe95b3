import { randomInt } from 'node:crypto'
import { closed, Count, notFound, nullable, reply, SurfaceError, Text, Type } from 'pantry/handler'
import {
  batchBody,
  batchLimit,
  BatchSchema,
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
import { requestedSku, searchQuery } from '../cards/parameters.ts'
import { canonicalCode, resolveSkus } from '../cards/sku.ts'
import { invalidSku } from '../common/errors.ts'
import { defineHandler } from '../define.ts'
import { evidenceBody, EvidenceSchema } from '../market/evidence.ts'

const fineness = 2 ** 47
const params = Type.Object({
  sku: Type.String({ minLength: 1, maxLength: 160, description: 'Canonical card SKU, in any letter case.' })
})

/** Draws one card. All cards are equally likely, whatever their set; draws are independent. */
export const random = defineHandler({
  query: Type.Object({
    game: Type.Optional(searchQuery.game),
    set: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Set code, in any letter case. Without `game`, the sets of all games with this code.'
      })
    )
  }),
  reply: RandomCardSchema,
  async handle({ query, pathTo }, { catalogue, drawCard, games }) {
    const game = query.game === undefined ? undefined : games.named(query.game).token
    const set = query.set === undefined ? undefined : canonicalCode(query.set)
    const drawn = await drawCard({ game, set }, randomInt(fineness) / fineness)
    const [held] = drawn === undefined ? [] : await catalogue.cardsInBrief([drawn.sku])
    if (drawn === undefined || held === undefined) {
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
    const found = await everythingOf(catalogue, sources, sku)
    if (found === undefined) throw await cardNotFound(params.sku, cardHistory)
    return reply(found.body, fromSources(found.sources))
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
