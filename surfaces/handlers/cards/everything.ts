import Type from 'typebox'
import { reply, SurfaceError } from 'pantry/handler'
import { missingCard } from '../../catalogue/missing-card.ts'
import { parseSku } from '../../catalogue/sku.ts'
import { invalidSku } from '../../errors.ts'
import { defineHandler } from '../../define.ts'
import { everythingOf } from '../../cards/everything-body.ts'
import { EverythingSchema } from '../../cards/schemas.ts'

/** All that is published of one card, in one answer. */
export default defineHandler({
  params: Type.Object({ sku: Type.String({ minLength: 1, maxLength: 160, description: 'Canonical card SKU, in any letter case.' }) }),
  reply: EverythingSchema,
  async handle ({ params, pathTo }, { catalogue, sources }) {
    const sku = params.sku.toLowerCase()
    if (parseSku(sku) === undefined) {
      throw new SurfaceError(invalidSku, 'Write `sku` as <game>-<set>-<number>-<lang>[-<variant>].', { details: { field: 'sku', documented_at: pathTo('universal/encoding') } })
    }
    const everything = await everythingOf(catalogue, sources, sku)
    if (everything === undefined) throw await missingCard(params.sku, catalogue)
    return reply(everything)
  }
})
