import { reply } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { checkSecure } from '../../../people/callers.ts'
import { AskingOptions } from '../../../people/passkeys.ts'

/** Returns the options with which a browser signs in by passkey. */
export default defineHandler({
  reply: AskingOptions,
  async handle({ service }, { passkeys }) {
    checkSecure(service.base_url)
    return reply(await passkeys.signInOptions(service))
  }
})
