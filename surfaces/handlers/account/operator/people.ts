import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { otherPerson, personOf, requireFresh } from '../../../people/callers.ts'
import { Change, Done, SuspensionChange, Username } from '../../../people/schemas.ts'

export const rolePost = defineHandler({
  params: Type.Object({ username: Username }),
  body: { schema: Change, limitBytes: 512 },
  reply: Done,
  async handle({ params: { username }, body: { change }, caller, now }, { people }) {
    requireFresh(caller, now)
    const person = otherPerson(caller, await people.byName(username), username)
    await people.setRole(person.id, 'admin', change === 'give', personOf(caller))
    return reply({ done: `${person.username} ${change === 'give' ? 'has' : 'no longer has'} the role.` })
  }
})

export const suspensionPost = defineHandler({
  params: Type.Object({ username: Username }),
  body: { schema: SuspensionChange, limitBytes: 512 },
  reply: Done,
  async handle({ params: { username }, body: { change }, caller }, { people }) {
    const person = otherPerson(caller, await people.byName(username), username)
    await people.setSuspended(person.id, change === 'suspend', personOf(caller))
    return reply({ done: `${person.username} ${change === 'suspend' ? 'is suspended' : 'may sign in again'}.` })
  }
})
