import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Bridge, Party } from '../../people/collector-schemas.ts'
import { bridgeOf } from '../../people/parties.ts'

export default defineHandler({
  query: Type.Object({ a: Party, b: Party }),
  reply: Bridge,
  async handle({ query: { a, b } }, { parties }) {
    const [one, other] = await Promise.all([parties.published(a), parties.published(b)])
    const metrics = bridgeOf(one, other)
    return reply({
      a,
      b,
      metrics,
      bridge_score: metrics.bridge_score.value,
      note: 'A measure has no value where A or B has not published what it compares. A party that is not there looks the same.'
    })
  }
})
