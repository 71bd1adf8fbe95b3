import { Type, invalid, reply, sha256Hex, Text } from 'pantry/handler'
import { dayOf } from '../../common/calendar.ts'
import { graphemesOf } from '../../common/text-width.ts'
import { defineHandler } from '../../define.ts'
import { drawCard, nameOf, nobody } from '../../playful/calling-card.ts'

const maxGraphemes = 60

export default defineHandler({
  query: Type.Object({
    name: Type.Optional(
      Type.String({
        maxLength: 200,
        description: `Name on the card, in any script; at most ${maxGraphemes} letters. Default: ${nobody}.`
      })
    ),
    content_hash: Type.Optional(
      Type.String({
        pattern: '^(sha256:)?[0-9a-fA-F]{64}$',
        description:
          'SHA-256 in hexadecimal, with or without `sha256:`. The ornament is drawn from it instead of from the name.'
      })
    ),
    night: Type.Optional(Type.Enum(['0', '1'], { description: '`1` draws the card by night.' }))
  }),
  reply: Type.Object({
    '@kind': Type.Literal('calling-card'),
    holder: Type.String({ description: 'The name on the card.' }),
    edition: Type.Enum(['day', 'night']),
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'What the ornament is drawn from: the hash that was given, or the SHA-256 of the name.'
    }),
    hash_of: Type.Enum(['name', 'content_hash'], { description: 'Where the hash comes from.' }),
    witnessed: Type.String({ format: 'date', description: 'The UTC day on the card.' }),
    svg: Type.String({ description: 'The card: one SVG document of 500 x 700 units.' }),
    image_url: Type.String({ description: 'The same card as an image.' }),
    how_to_read_it: Text,
    this_card: Type.Object({
      is_yours: Type.Boolean(),
      cost: Text,
      proves: Text,
      stored: Type.Boolean(),
      deterministic: Text
    }),
    walking_past_is_honored: Type.Boolean()
  }),
  handle({ query: { name, content_hash: given, night: asked }, now, service, pathTo }) {
    const holder = nameOf(name)
    const length = graphemesOf(holder).length
    if (length > maxGraphemes)
      throw invalid('name', `\`name\` has ${length} letters; a card holds at most ${maxGraphemes}.`)
    const hash = given?.replace('sha256:', '').toLowerCase() ?? sha256Hex(holder)
    const night = asked === '1'
    const witnessed = dayOf(now)
    const query = new URLSearchParams({
      ...(name === undefined ? {} : { name: holder }),
      ...(given === undefined ? {} : { content_hash: hash }),
      ...(night ? { night: '1' } : {})
    }).toString()
    return reply({
      '@kind': 'calling-card',
      holder,
      edition: night ? 'night' : 'day',
      hash,
      hash_of: given === undefined ? 'name' : 'content_hash',
      witnessed,
      svg: drawCard({ name: holder, house: service.name, hash, night, date: witnessed }),
      image_url: query === '' ? pathTo('playful/calling-card') : `${pathTo('playful/calling-card')}?${query}`,
      how_to_read_it:
        'Sixty-four rays go around the rosette, clockwise from the top: one for each digit of the hash, the longer the higher.',
      this_card: {
        is_yours: true,
        cost: 'nothing',
        proves: 'nothing: anybody can have it drawn',
        stored: false,
        deterministic: 'The same name, hash and edition give the same bytes until midnight UTC.'
      },
      walking_past_is_honored: true
    })
  }
})
