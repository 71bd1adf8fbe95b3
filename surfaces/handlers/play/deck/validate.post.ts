import Type from 'typebox'
import { invalid, mirrorDocument, type JsonObject } from 'pantry/handler'
import { linksOf } from '../../../catalogue/links.ts'
import { seedOf } from '../../../catalogue/recipes.ts'
import { licenseLabels, rights } from '../../../catalogue/document-members.ts'
import { defineHandler } from '../../../define.ts'
import { baseNumber } from '../../../play/deck-rules.ts'
import { DeckLegalitySchema } from '../../../play/deck/legality-schema.ts'
import { Format, judge } from '../../../play/deck/legality.ts'

const sources = ['caller', 'catalogue', 'self']
const Id = Type.String({ minLength: 1, maxLength: 160, pattern: '\\S' })

const rulesOf = ({ id, name, as_of: asOf, minimum_block: block, banned, banned_pairs: pairs, source, unsure, note }: Format): JsonObject =>
  ({ format: id, name, as_of: asOf, minimum_block: block, banned, banned_pairs: pairs, source, unsure, note })

/** Checks a deck against the construction rules and a format: every violation in one answer. It does not keep the deck. */
export default defineHandler({
  corpora: { 'play-formats': Format },
  body: {
    limitBytes: 65_536,
    schema: Type.Object({
      leader_id: Type.String({ ...Id, description: 'Leader: a card number such as `OP01-001`, a printing of it, or a SKU.' }),
      main_deck_card_ids: Type.Array(Id, { maxItems: 250, description: 'The main deck; an id stands once for each copy.' }),
      format: Type.Enum(['standard', 'legacy', 'limited_sealed'])
    }, { additionalProperties: false })
  },
  reply: DeckLegalitySchema,
  async handle ({ body, corpora, path }, { printings, encoding }) {
    const formats = corpora['play-formats'].byKey
    const format = formats.get(body.format)
    if (format === undefined) throw invalid('format', 'Name a format that is declared.', [...formats.keys()])
    const leaderId = baseNumber(body.leader_id)
    const ids = body.main_deck_card_ids.map(baseNumber)
    const cards = await printings.read([leaderId, ...ids])
    const { violations, coloursUnknown, blocksUnknown } = judge(body, format, cards)
    const document = {
      legal: violations.length === 0,
      violations,
      summary: {
        main_deck_count: ids.length,
        distinct_card_count: new Set(ids).size,
        leader_id: leaderId,
        leader_colors: cards.get(leaderId)?.colours ?? [],
        format: format.id,
        deck_card_ids_sorted: ids.sort(),
        violation_codes_sorted: violations.map(({ code }) => code).sort()
      },
      format_rules: rulesOf(format),
      substrate_honest_perimeter: {
        identity: 'A card is its number: printings and languages of one number are one card, also for the copy limit.',
        color_check: 'A card needs one colour of its Leader. Cards without colour data are not judged by colour and are listed here.',
        colors_unknown_for: coloursUnknown,
        block_check: format.minimum_block === null
          ? 'This format has no rotation.'
          : `A card needs a printing of block ${format.minimum_block} or later. Cards whose block no source states are not judged by it and are listed here.`,
        blocks_unknown_for: blocksUnknown,
        copy_limit: 'Rules texts are not kept. The cards whose texts lift the limit are named in the rules of this check.',
        category_sources: 'Categories, colours and blocks are those the catalogue has from its sources.',
        banlist: format.source === null ? 'No list applies.' : `The list of ${format.as_of} by ${format.source.name}. It is not the publisher's own word.`
      },
      _links: linksOf({ canonical: path, pattern: path }),
      _note_opaque: ['violations[].message', 'format_rules.note', 'substrate_honest_perimeter'],
      rights
    }
    return {
      mirror: mirrorDocument({
        encoding, kind: 'deck_legality_result', seed: seedOf('deck_legality_result', document), body: document, sources, sourceLicense: licenseLabels(sources)
      })
    }
  }
})
