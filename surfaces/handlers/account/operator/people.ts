import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { otherPerson, personOf, requireFresh } from '../../../people/callers.ts'
import { Done, RoleChange, SuspensionChange, Username } from '../../../people/schemas.ts'

export const rolePost = defineHandler({
  params: Type.Object({ username: Username }),
  body: { schema: RoleChange, limitBytes: 2048 },
  reply: Done,
  async handle({ params: { username }, body: { change, reason }, caller, now }, { people }) {
    requireFresh(caller, now)
    const person = otherPerson(caller, await people.byName(username), username)
    await people.setRole(person.id, 'admin', change === 'give', { actor: personOf(caller), reason })
    return reply({ done: `${person.username} ${change === 'give' ? 'has' : 'no longer has'} the role.` })
  }
})

export const suspensionPost = defineHandler({
  params: Type.Object({ username: Username }),
  body: { schema: SuspensionChange, limitBytes: 2048 },
  reply: Done,
  async handle({ params: { username }, body: { change, reason }, caller }, { people }) {
    const person = otherPerson(caller, await people.byName(username), username)
    await people.setSuspended(person.id, change === 'suspend', { actor: personOf(caller), reason })
    return reply({ done: `${person.username} ${change === 'suspend' ? 'is suspended' : 'may sign in again'}.` })
  }
})
