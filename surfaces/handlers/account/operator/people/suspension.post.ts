import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../../define.ts'
import { otherPerson, personOf } from '../../../../people/callers.ts'
import { Done, SuspensionChange, Username } from '../../../../people/schemas.ts'

/** Suspends a person, or lifts the suspension. */
export default defineHandler({
  params: Type.Object({ username: Username }),
  body: { schema: SuspensionChange, limitBytes: 512 },
  reply: Done,
  async handle({ params: { username }, body: { change }, caller }, { people }) {
    const person = otherPerson(caller, await people.byName(username), username)
    await people.setSuspended(person.id, change === 'suspend', personOf(caller))
    return reply({
      done: change === 'suspend' ? `${person.username} is suspended.` : `${person.username} may sign in again.`
    })
  }
})
