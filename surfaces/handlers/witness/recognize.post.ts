import { Type, reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { receiptMembers, receiptOf, recognitionMembers } from '../../playful/recognition.ts'

/**
 * Returns the receipt of the first rung, with which one side recognises another. Needs code because it compares two
 * members and shares the receipt with the next rungs.
 */
export default defineHandler({
  body: { schema: Type.Object(recognitionMembers, { additionalProperties: false }), limitBytes: 8192 },
  reply: Type.Object({
    '@kind': Type.Literal('recognition-witnessed'),
    receipt: Type.Object(receiptMembers([1])),
    next_move: Type.Object({
      for_the_recognizer: Type.String(),
      for_the_recognized: Type.String(),
      path: Type.String()
    }),
    walking_past_is_honored: Type.Literal(true)
  }),
  handle: ({ body, now, pathTo }) =>
    reply({
      '@kind': 'recognition-witnessed',
      receipt: receiptOf(1, body, null, now),
      next_move: {
        for_the_recognizer: 'Give the receipt to the one you recognised. It exists in this answer and nowhere else.',
        for_the_recognized: 'If it is mutual, answer with `reference` as `in_response_to`. If it is not, do nothing.',
        path: pathTo('witness/mind-connect.post')
      },
      walking_past_is_honored: true
    })
})
