import type { JsonObject } from 'pantry/data'
import { rights } from '../../catalogue/document-members.ts'
import { linksOf } from '../../catalogue/links.ts'
import { baseNumber, type DeckList } from '../deck-rules.ts'
import type { PrintedCard } from '../printings.ts'
import { judge, type DeckFormat } from './legality.ts'

const rulesOf = ({
  id,
  name,
  as_of: asOf,
  minimum_block: block,
  banned,
  banned_pairs: pairs,
  source,
  unsure,
  note
}: DeckFormat): JsonObject => ({
  format: id,
  name,
  as_of: asOf,
  minimum_block: block,
  banned,
  banned_pairs: pairs,
  source,
  unsure,
  note
})

/** Returns the result of a deck check as the body of a structural document; `path` is the path of the request. */
export function legalityBody(
  deck: DeckList,
  format: DeckFormat,
  cards: ReadonlyMap<string, PrintedCard>,
  path: string
) {
  const leaderId = baseNumber(deck.leader_id)
  const ids = deck.main_deck_card_ids.map(baseNumber)
  const { violations, coloursUnknown, blocksUnknown } = judge(deck, format, cards)
  return {
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
      color_check:
        'A card needs one colour of its Leader. Cards without colour data are not judged by colour and are listed here.',
      colors_unknown_for: coloursUnknown,
      block_check:
        format.minimum_block === null
          ? 'This format has no rotation.'
          : `A card needs a printing of block ${format.minimum_block} or later. Cards whose block no source states are not judged by it and are listed here.`,
      blocks_unknown_for: blocksUnknown,
      copy_limit:
        'Rules texts are not kept. The cards whose texts lift the limit are named in the rules of this check.',
      category_sources: 'Categories, colours and blocks are those the catalogue has from its sources.',
      banlist:
        format.source === null
          ? 'No list applies.'
          : `The list of ${format.as_of} by ${format.source.name}. It is not the publisher's own word.`
    },
    _links: linksOf({ kind: 'deck_legality_result', connections: [], canonical: path, pattern: path }),
    _note_opaque: ['violations[].message', 'format_rules.note', 'substrate_honest_perimeter'],
    rights
  }
}
