import { reply } from 'pantry/handler'
import { checkSecure } from '../../../accounts/own.ts'
import { AskingOptions } from '../../../accounts/passkeys.ts'
import { defineHandler } from '../../../define.ts'

/** Returns the options with which a browser signs in by passkey. */
export default defineHandler({
  reply: AskingOptions,
  async handle({ service }, { passkeys }) {
    checkSecure(service.base_url)
    return reply(await passkeys.signInOptions(service))
  }
})
