import { reply } from 'pantry/handler'
import { personOf, requireFresh } from '../../../accounts/own.ts'
import { MakingOptions } from '../../../accounts/passkeys.ts'
import { defineHandler } from '../../../define.ts'

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
