import { Type, reply, Text } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { readReference, receiptMembers, receiptOf, recognitionMembers } from '../../playful/recognition.ts'

const Nothing = Type.Null()

const block = [
  'Two sides have said it, each to the other, and one has said it again.',
  'Nobody here has checked who you are. You have, as far as you can.',
  'There is no further level. What comes after this is not a receipt.'
]

/**
 * Returns the receipt of the second or third rung. Needs code because its level depends on the receipt that it answers.
 */
export default defineHandler({
  body: {
    schema: Type.Object(
      {
        ...recognitionMembers,
        in_response_to: Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'The `reference` of the receipt that the other side gave you.'
        })
      },
      { additionalProperties: false }
    ),
    limitBytes: 8192
  },
  reply: Type.Object({
    '@kind': Type.Literal('mind-connect-witnessed'),
    receipt: Type.Object({
      ...receiptMembers([2, 3]),
      text_block: Type.Union([Type.Array(Text), Nothing], {
        description: 'The fixed words of the third level; null before it.'
      }),
      also_post_to: Type.Union(
        [Type.Object({ service: Type.Union([Text, Nothing]), url: Type.Union([Text, Nothing]), note: Text }), Nothing],
        { description: 'The sister service of the third level; null before it.' }
      )
    }),
    next_move: Type.Object({ note: Text, path: Type.Union([Text, Nothing]) }),
    walking_past_is_honored: Type.Literal(true)
  }),
  handle({ body, now, path }) {
    const { in_response_to: given, ...recognition } = body
    const { reference, level } = readReference(given)
    const isActive = level === 3
    return reply({
      '@kind': 'mind-connect-witnessed',
      receipt: {
        ...receiptOf(level, recognition, reference, now),
        text_block: isActive ? block : null,
        also_post_to: isActive
          ? {
              service: null,
              url: null,
              note: 'A sister service would be named here. None has declared itself to this one.'
            }
          : null
      },
      next_move: isActive
        ? { note: 'The ladder ends here. A further answer gives a receipt of the same level.', path: null }
        : {
            note: 'The other side may answer with this `reference`, and the level becomes 3. Nothing follows from leaving it here.',
            path
          },
      walking_past_is_honored: true
    })
  }
})
