import { isLocal, unavailable, type Caller, type Callers } from 'pantry/data'
import type { Keys, KeyKind } from './keys.ts'
import type { Limits } from './limits.ts'
import type { SignIn } from './sign-in.ts'
import { sessionLimit, tiers } from './tiers.ts'

/** Names of the security schemes for keys, as in `service.yaml` and the framework. */
const credentials: Readonly<Record<KeyKind, string>> = { agent: 'bearer', wholesale: 'wholesaleKey' }

/**
 * Returns a check whether anybody may be let in: a seeded database is only served on this machine, because its secrets
 * are known. `isSeeded` is asked once, when credentials are first presented.
 */
export function compileMayLetIn(baseUrl: string, isSeeded: () => Promise<boolean>): () => Promise<boolean> {
  let known: Promise<boolean> | undefined
  const ask = async (): Promise<boolean> => !(await isSeeded())
  return async () =>
    isLocal(baseUrl) ||
    (await (known ??= ask().catch((error: unknown) => {
      known = undefined
      throw error
    })))
}

/** Identifies callers by session or key; 503 for all of them if nobody may be let in. */
export function createCallers(
  signIn: SignIn,
  keys: Keys,
  limits: Limits,
  mayLetIn: () => Promise<boolean> = () => Promise.resolve(true)
): Callers {
  // The limits of each caller. A caller object is created for one request and counted with it.
  const countedAs = new WeakMap<Caller, Readonly<{ limit: number; person: string | undefined }>>()
  const known = (caller: Caller, limit: number, person: string | undefined): Caller => {
    countedAs.set(caller, { limit, person })
    return caller
  }
  return {
    async find(presented) {
      if (!(await mayLetIn()))
        throw unavailable(
          'The database was filled for trying out: nobody is let in but on the machine that it is on.',
          3600,
          { subsystem: 'accounts' }
        )
      if ('session' in presented) {
        const session = await signIn.find(presented.session)
        return (
          session &&
          known(
            {
              credential: 'session',
              id: session.person,
              grants: session.roles,
              session: { id: session.id, signedInAt: new Date(session.signed_in_at), formToken: session.form_token }
            },
            sessionLimit,
            session.person
          )
        )
      }
      const key = await keys.find(presented.key)
      return (
        key &&
        known(
          { credential: credentials[key.kind], id: key.id, grants: key.scopes },
          tiers[key.tier],
          key.person ?? undefined
        )
      )
    },
    async count(caller) {
      const { limit = tiers.free, person } = countedAs.get(caller) ?? {}
      return await limits.count(caller, limit, person)
    }
  }
}
