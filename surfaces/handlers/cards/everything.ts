import { Type, reply } from 'pantry/handler'
import { requestedSku } from '../../cards/parameters.ts'
import { fromSources } from '../../cards/documents/parts.ts'
import { missingCard } from '../../cards/card-history.ts'
import { defineHandler } from '../../define.ts'
import { everythingOf, EverythingSchema } from '../../cards/card-answers.ts'

/** Returns everything published about one card. */
export default defineHandler({
  params: Type.Object({
    sku: Type.String({ minLength: 1, maxLength: 160, description: 'Canonical card SKU, in any letter case.' })
  }),
  reply: EverythingSchema,
  async handle({ params, pathTo }, { catalogue, cardHistory, sources }) {
    const sku = requestedSku(params.sku, pathTo)
    const everything = await everythingOf(catalogue, sources, sku)
    if (everything === undefined) throw await missingCard(params.sku, cardHistory)
    return reply(everything.body, fromSources(everything.sources))
  }
})
