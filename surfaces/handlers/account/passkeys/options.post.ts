import { reply } from 'pantry/handler'
import { personOf, requireFresh } from '../../../accounts/own.ts'
import { MakingOptions } from '../../../accounts/passkeys.ts'
import { defineHandler } from '../../../define.ts'

/** What a browser needs to make a passkey for the person who asks. */
export default defineHandler({
  reply: MakingOptions,
  async handle({ caller, now, service }, { people, passkeys }) {
    requireFresh(caller, now)
    const id = personOf(caller)
    const person = await people.byId(id)
    return reply(await passkeys.registrationOptions({ id, username: person?.username ?? '' }, service))
  }
})
