import * as openid from 'openid-client'
import { defineHandlerFor, isLocal, type None, type OpenServices } from 'pantry/handler'
import { KeyStore } from 'pantry/keys'
import { sessionCallers, Sessions } from './sessions.ts'
import type settingsRead from './settings.ts'

const open = (async ({ database: opened, settings: { issuer, clientId, clientSecret, admin } }) => {
  const database = await opened()
  const sessions = new Sessions(database)
  let known: Promise<openid.Configuration> | undefined
  /** Reads what the provider says of itself, when it is first needed, and again after a failure. */
  const provider = async (): Promise<openid.Configuration> => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- A provider on this machine, for trying out.
    const options = isLocal(issuer) ? { execute: [openid.allowInsecureRequests] } : {}
    known ??= openid.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
    return await known.catch((error: unknown) => {
      known = undefined
      throw error
    })
  }
  return {
    services: { sessions, provider, keys: new KeyStore(database), callers: sessionCallers(sessions, admin, database) }
  }
}) satisfies OpenServices<object, None, typeof settingsRead>

export default open

export const defineHandler = defineHandlerFor<Readonly<Awaited<ReturnType<typeof open>>['services']>>()
