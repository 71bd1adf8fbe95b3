import Type from 'typebox'
import { bodyOf, densities } from '../../catalogue/card-body.ts'
import { cardMirror, otherMirror } from '../../catalogue/card-document.ts'
import { acceptedLanguages } from '../../catalogue/languages.ts'
import { missingCard } from '../../catalogue/missing-card.ts'
import { CardSchema } from '../../catalogue/schemas.ts'
import { defineHandler } from '../../define.ts'

/** Sent where another header would have led to another name (RFC 9110 §12.5.5). */
const byLanguage = { Vary: 'Accept-Language' }

/**
 * One card. The normal document with the stored name lies ready; the other forms are put together from the facts.
 * The language chooses only which name is shown: the content hash is the same in all of them.
 */
export default defineHandler({
  params: Type.Object({ sku: Type.String({ minLength: 1, maxLength: 160, description: 'Card SKU, in any letter case.' }) }),
  query: Type.Object({
    density: Type.Optional(Type.Enum([...densities], { default: 'normal', description: 'How much of the card the document shows.' })),
    lang: Type.Optional(Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$',
      maxLength: 35,
      description: 'Language of the name: an ISO 639 code or a BCP 47 tag. It goes before what Accept-Language asks for.'
    }))
  }),
  reply: CardSchema,
  async handle ({ params, query, headers, now }, { catalogue, encoding }) {
    const sku = params.sku.toLowerCase()
    const { density = 'normal', lang } = query
    const accepted = density === 'sparse' ? [] : acceptedLanguages(headers['accept-language'])
    const wanted = lang === undefined ? accepted : [lang.toLowerCase(), ...accepted]
    const vary = density === 'sparse' ? {} : { headers: byLanguage }
    if (density === 'normal' && wanted.length === 0) {
      const row = await catalogue.card(sku)
      if (row === undefined) throw missingCard(params.sku)
      return { mirror: cardMirror(row, encoding, now), ...vary }
    }
    const held = await catalogue.cardInFull(sku)
    if (held === undefined) throw missingCard(params.sku)
    return { mirror: otherMirror(held.card, date => bodyOf(held, density, { date, wanted }), encoding, now), ...vary }
  }
})
