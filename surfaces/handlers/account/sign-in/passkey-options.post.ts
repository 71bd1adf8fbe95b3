import { reply } from 'pantry/handler'
import { checkSecure } from '../../../accounts/own.ts'
import { AskingOptions } from '../../../accounts/passkeys.ts'
import { defineHandler } from '../../../define.ts'

/** What a browser needs to sign somebody in. */
export default defineHandler({
  reply: AskingOptions,
  async handle({ service }, { passkeys }) {
    checkSecure(service.base_url)
    return reply(await passkeys.signInOptions(service))
  }
})
