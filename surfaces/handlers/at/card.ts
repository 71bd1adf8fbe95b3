import { Type } from 'pantry/data'
import { cardAtDocument } from '../../cards/documents/card.ts'
import { cardNotFound } from '../../cards/card-history.ts'
import { requestedDate } from '../../cards/documents/parts.ts'
import { CardAtSchema } from '../../cards/documents/schemas.ts'
import { DateText } from '../../cards/parameters.ts'
import { defineHandler } from '../../define.ts'

/** Returns the present facts of a card, whatever the date in the path: for clients that address documents by date. */
export default defineHandler({
  params: Type.Object({
    date: DateText,
    sku: Type.String({ minLength: 1, maxLength: 160, description: 'Card SKU, in any letter case.' })
  }),
  entries: { key: 'sku' },
  reply: CardAtSchema,
  async handle({ params }, { catalogue, cardHistory, encoding, rarities }) {
    const date = requestedDate(params.date)
    const held = await catalogue.cardInFull(params.sku.toLowerCase())
    if (held === undefined) throw await cardNotFound(params.sku, cardHistory)
    return { mirror: cardAtDocument(held, date, rarities.of(held.card), encoding) }
  }
})
