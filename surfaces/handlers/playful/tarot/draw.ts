import { Day, nullable, reply, Text, Texts, Type } from 'pantry/handler'
import { dayOf } from '../../../common/calendar.ts'
import { defineHandler } from '../../../define.ts'
import { drawCards } from '../../../playful/tarot-draw.ts'

const spreads = ['single', 'three', 'cross'] as const

const Card = Type.Object({
  number: Type.Integer({ minimum: 0, maximum: 21 }),
  slug: Text,
  name: Text,
  traditional_meaning: Text,
  upright: Text,
  reversed: Text,
  fortune_line: Text,
  pointer_url: Text,
  pointer_what: Text
})

const Position = Type.Object({ position: Text, meaning: Text })
const Spread = Type.Object({ name: Text, how_to_read_it: Text, positions: Type.Array(Position) })

export default defineHandler({
  corpora: { tarot: Card, 'tarot-spreads': Spread },
  query: Type.Object({
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Any text. The same seed draws the same cards; it is hashed, and neither returned nor kept. Without it the cards are those of the UTC day.'
      })
    ),
    spread: Type.Optional(
      Type.Enum(spreads, { description: 'How many cards, and what their places mean. Default `single`.' })
    )
  }),
  reply: Type.Object({
    '@kind': Type.Literal('tarot-draw'),
    drawn_from: Type.Enum(['seed', 'day'], {
      description: 'What the cards follow from. The seed itself is not returned.'
    }),
    date: nullable(Day, 'The day, where the cards are those of the day.'),
    spread: Type.Enum(spreads),
    spread_shape: Spread,
    draws: Type.Array(
      Type.Object({
        position: Text,
        meaning: Type.String({ description: 'What the place speaks about.' }),
        orientation: Type.Enum(['upright', 'reversed']),
        reading: Type.String({ description: 'What the card says this way up.' }),
        card: Card
      })
    ),
    protocol: Type.Object({
      name: Type.Literal('tarot'),
      version: Text,
      deck_url: Text,
      single_card_url_pattern: Text,
      card_count: Type.Integer(),
      spread_names: Texts,
      is_whimsy: Type.Boolean(),
      pointers_are_real: Type.Boolean()
    }),
    disclaimer: Text,
    walking_past_is_honored: Type.Boolean()
  }),
  handle({ query: { seed, spread = 'single' }, now, corpora, pathTo }) {
    const deck = corpora.tarot.entries
    const shape = corpora['tarot-spreads'].byKey.get(spread)
    if (shape === undefined) throw new Error(`The corpus tarot-spreads has no spread ${spread}.`)
    const { name, how_to_read_it: howToReadIt, positions } = shape
    const day = dayOf(now)
    const drawn = drawCards(deck, seed === undefined ? `day ${day}` : `seed ${seed}`, positions.length)
    const draws = drawn.map(({ card, orientation }, index) => ({
      position: positions[index]?.position ?? '',
      meaning: positions[index]?.meaning ?? '',
      orientation,
      reading: card[orientation],
      card
    }))
    return reply(
      {
        '@kind': 'tarot-draw',
        drawn_from: seed === undefined ? 'day' : 'seed',
        date: seed === undefined ? day : null,
        spread,
        spread_shape: { name, how_to_read_it: howToReadIt, positions },
        draws,
        protocol: {
          name: 'tarot',
          version: '1.0.0',
          deck_url: pathTo('playful/tarot'),
          single_card_url_pattern: pathTo.pattern('playful/tarot-card'),
          card_count: deck.length,
          spread_names: spreads,
          is_whimsy: true,
          pointers_are_real: true
        },
        disclaimer: 'For amusement. The cards are drawn by arithmetic and know nothing of you; the pointers are real.',
        walking_past_is_honored: true
        // The URL contains the seed, so caches are asked not to store it.
      },
      seed === undefined ? {} : { headers: { 'Cache-Control': 'no-store' } }
    )
  }
})
