import Type from 'typebox'
import { mirrorDocument } from '../../core/contract/math-mirror.ts'
import { notFound } from '../../core/handler/errors.ts'
import { densities, cardSeed, saturatedBody, sparseBody } from '../catalogue/card-body.ts'
import { cardMirror } from '../catalogue/card-document.ts'
import type { CardInFull } from '../catalogue/catalogue.ts'
import { CardSchema } from '../catalogue/schemas.ts'
import { licenseLabels } from '../catalogue/structure.ts'
import { defineHandler } from '../define.ts'

const missing = (sku: string) =>
  notFound('card', sku, { field: 'sku', form: '<game>-<set>-<number>-<lang>[-<variant>]', documented_at: '/api/v1/universal/encoding' })

const otherDensity = ({ card, set, game }: CardInFull, density: 'sparse' | 'saturated', encoding: string) => {
  const hashes = { contentHash: card.content_hash, setHash: set.content_hash, gameHash: game.content_hash }
  return mirrorDocument({
    encoding,
    kind: 'card',
    seed: cardSeed(card),
    body: density === 'sparse' ? sparseBody(card, hashes) : saturatedBody(card, set, game, hashes),
    sources: card.sources,
    sourceLicense: licenseLabels(card.sources)
  })
}

/** One card. The normal document is stored ready; the other two densities are put together from the facts. */
export default defineHandler({
  params: Type.Object({ sku: Type.String({ minLength: 1, maxLength: 160, description: 'Card SKU, in any letter case.' }) }),
  query: Type.Object({
    density: Type.Optional(Type.Enum([...densities], { default: 'normal', description: 'How much of the card the document shows.' }))
  }),
  reply: CardSchema,
  async handle ({ params, query }, { catalogue, encoding }) {
    const sku = params.sku.toLowerCase()
    const { density = 'normal' } = query
    if (density === 'normal') {
      const row = await catalogue.card(sku)
      if (row === undefined) throw missing(params.sku)
      return { mirror: cardMirror(row, encoding) }
    }
    const held = await catalogue.cardInFull(sku)
    if (held === undefined) throw missing(params.sku)
    return { mirror: otherDensity(held, density, encoding) }
  }
})
