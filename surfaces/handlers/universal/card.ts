import { Type } from 'pantry/data'
import { dayOf } from '../../calendar.ts'
import { missingCard } from '../../cards/card-history.ts'
import { bodyOf, cardMirror, densities, otherMirror } from '../../cards/documents/card.ts'
import { CardSchema } from '../../cards/documents/schemas.ts'
import { acceptedLanguages, hasOtherName, wantedLanguages } from '../../cards/languages.ts'
import { defineHandler } from '../../define.ts'

/** Sent if another Accept-Language header would select another name (RFC 9110 §12.5.5). */
const byLanguage = { headers: { Vary: 'Accept-Language' } }

/**
 * Returns the document of one card. The normal document with the stored name is precomputed; the other forms are built
 * from the facts. The language only selects the displayed name and does not affect the content hash. `Vary` is only
 * sent if another Accept-Language header could select another name.
 */
export default defineHandler({
  params: Type.Object({
    sku: Type.String({ minLength: 1, maxLength: 160, description: 'Card SKU, in any letter case.' })
  }),
  query: Type.Object({
    density: Type.Optional(
      Type.Enum([...densities], { default: 'normal', description: 'How much of the card the document shows.' })
    ),
    lang: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$',
        maxLength: 35,
        description:
          'Language of the name: an ISO 639 code or a BCP 47 tag. It goes before what Accept-Language asks for.'
      })
    )
  }),
  entries: { key: 'sku' },
  reply: CardSchema,
  version: async ({ kept }, now) => `${await kept.version()} ${dayOf(now)}`,
  async handle({ params, query, headers, now }, { catalogue, cardHistory, encoding, rarities }) {
    const sku = params.sku.toLowerCase()
    const { density = 'normal', lang } = query
    const asked = lang === undefined ? [] : [lang.toLowerCase()]
    const accepted = density === 'sparse' ? [] : acceptedLanguages(headers['accept-language'])
    const isStored = density === 'normal' && asked.length === 0
    const row = isStored ? await catalogue.card(sku) : undefined
    // Few cards have another name; only for these is the requested language relevant.
    const held =
      isStored && (accepted.length === 0 || row?.has_other_name !== true) ? undefined : await catalogue.cardInFull(sku)
    const wanted = held === undefined ? asked : wantedLanguages(held.card, asked, accepted)
    const depends = density !== 'sparse' && (row?.has_other_name ?? (held !== undefined && hasOtherName(held.card)))
    const vary = depends ? byLanguage : {}
    if (row !== undefined && wanted.length === 0)
      return { mirror: cardMirror(row, rarities.textOf(row), encoding, now), ...vary }
    if (held === undefined) throw await missingCard(params.sku, cardHistory)
    return {
      mirror: otherMirror(
        held.card,
        date => bodyOf(held, density, { date, wanted, rarity: rarities.of(held.card) }),
        encoding,
        now
      ),
      ...vary
    }
  }
})
