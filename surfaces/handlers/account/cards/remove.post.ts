import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { listNames } from '../../../people/collector-schemas.ts'
import { Done } from '../../../people/schemas.ts'

/** Removes a card, or all cards, from a list of the caller. */
export default defineHandler({
  body: {
    schema: Type.Object(
      {
        list: Type.Enum(listNames, { description: 'Which list.' }),
        sku: Type.Optional(
          Type.String({ minLength: 1, maxLength: 160, description: 'The card; without it, all of them.' })
        )
      },
      { additionalProperties: false }
    ),
    limitBytes: 1024
  },
  reply: Done,
  async handle({ body: { list, sku }, caller }, { cardLists }) {
    const removed = await cardLists.remove(personOf(caller), list, sku)
    if (removed === 0 && sku !== undefined) throw notFound('card', sku)
    return reply({ done: `${removed} of your cards went.` })
  }
})
