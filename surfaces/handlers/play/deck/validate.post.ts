import { closed, Type, invalid, mirrorDocument } from 'pantry/handler'
import { fromSources, seedOf } from '../../../cards/documents/parts.ts'
import { defineHandler } from '../../../define.ts'
import { DeckFormat, DeckLegalitySchema, legalityBody } from '../../../play/deck-legality.ts'
import { baseNumber } from '../../../play/deck-rules.ts'

const Id = Type.String({ minLength: 1, maxLength: 160, pattern: '\\S' })

export default defineHandler({
  corpora: { 'play-formats': DeckFormat },
  body: {
    limitBytes: 65_536,
    schema: closed({
      leader_id: Type.String({
        ...Id,
        description: 'Leader: a card number such as `OP01-001`, a printing of it, or a SKU.'
      }),
      main_deck_card_ids: Type.Array(Id, {
        maxItems: 250,
        description: 'The main deck; an id is listed once for each copy.'
      }),
      format: Type.Enum(['standard', 'legacy', 'limited_sealed'])
    })
  },
  reply: DeckLegalitySchema,
  async handle({ body, corpora, path }, { printings, encoding }) {
    const formats = corpora['play-formats'].byKey
    const format = formats.get(body.format)
    if (format === undefined) throw invalid('format', 'Name a format that is declared.', [...formats.keys()])
    const ids = [body.leader_id, ...body.main_deck_card_ids].map(baseNumber)
    const [cards, sources] = await Promise.all([printings.read(ids), printings.sourcesOf(ids)])
    const document = legalityBody(body, format, cards, path)
    return {
      mirror: mirrorDocument({
        encoding,
        kind: 'deck_legality_result',
        seed: seedOf('deck_legality_result', document),
        body: document,
        ...fromSources(['caller', 'self', ...sources])
      })
    }
  }
})
