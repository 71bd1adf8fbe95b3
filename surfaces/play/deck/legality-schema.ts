import { Type, closed, Count, mirrorSchema, nullable, Text, Texts } from 'pantry/data'
import { structure } from '../../catalogue/schemas.ts'
import { violationCodes } from './legality.ts'

/** The schema of the response to a deck check. */
export const DeckLegalitySchema = mirrorSchema('deck_legality_result', {
  ...structure,
  legal: Type.Boolean(),
  violations: Type.Array(
    closed({
      code: Type.Enum([...violationCodes]),
      message: Text,
      card_id: Type.Optional(Text),
      detail: Type.Optional(Type.Union([Count, Text]))
    })
  ),
  summary: closed({
    main_deck_count: Count,
    distinct_card_count: Count,
    leader_id: Text,
    leader_colors: Texts,
    format: Text,
    deck_card_ids_sorted: Texts,
    violation_codes_sorted: Texts
  }),
  format_rules: closed({
    format: Text,
    name: Text,
    as_of: Type.String({ format: 'date' }),
    minimum_block: nullable(Count),
    banned: Texts,
    banned_pairs: Type.Array(Texts),
    source: nullable(closed({ name: Text, url: Text })),
    unsure: Type.Boolean(),
    note: Text
  }),
  substrate_honest_perimeter: closed({
    identity: Text,
    color_check: Text,
    colors_unknown_for: Texts,
    block_check: Text,
    blocks_unknown_for: Texts,
    copy_limit: Text,
    category_sources: Text,
    banlist: Text
  })
})
