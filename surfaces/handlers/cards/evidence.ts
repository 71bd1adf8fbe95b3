import { Type, reply, SurfaceError } from 'pantry/handler'
import { fromSources } from '../../cards/documents/parts.ts'
import { missingCard } from '../../cards/card-history.ts'
import { invalidSku } from '../../errors.ts'
import { defineHandler } from '../../define.ts'
import { evidenceBody, EvidenceSchema } from '../../market/evidence.ts'
import { resolveSkus } from '../../cards/sku.ts'
import { SkuText } from '../../cards/card-answers.ts'

/** Returns the claims about one card, separated by class of claim. */
export default defineHandler({
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
        throw await missingCard(params.sku, cardHistory)
      case 'ambiguous':
        throw new SurfaceError(
          'NOT_FOUND',
          `\`${params.sku}\` can be read as more than one card that is held. Ask for one of the candidates.`,
          { details: { field: 'sku', canonical_sku: resolved.canonical, candidate_skus: resolved.candidates } }
        )
    }
  }
})
