import { Type, reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { batchBody, batchLimit, BatchSchema } from '../../cards/card-answers.ts'
import { resolveSkus } from '../../cards/sku.ts'

/** Resolves up to a hundred SKUs, each with its own status. */
export default defineHandler({
  body: {
    limitBytes: 131_072,
    schema: Type.Object(
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
      { additionalProperties: false, title: 'CardBatchRequest' }
    )
  },
  reply: BatchSchema,
  async handle({ body, pathTo }, { catalogue }) {
    const requested = body.skus.map(sku => sku.trim())
    return reply(batchBody(requested, await resolveSkus(requested, skus => catalogue.cardsInBrief(skus)), pathTo))
  }
})
