import { reply } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf, requireFresh } from '../../../people/callers.ts'
import { MakingOptions } from '../../../people/passkeys.ts'

/** Returns the options with which a browser creates a passkey for the caller. */
export default defineHandler({
  reply: MakingOptions,
  async handle({ caller, now, service }, { people, passkeys }) {
    requireFresh(caller, now)
    const id = personOf(caller)
    const person = await people.byId(id)
    return reply(await passkeys.registrationOptions({ id, username: person?.username ?? '' }, service))
  }
})
