import { invalid, isLocal, notFound, SurfaceError, unavailable, type Caller, type Callers } from 'pantry/data'
import { conflict } from '../common/errors.ts'
import { keyKinds, scopes, sessionLimit, tiers, type KeyKind, type Keys } from './keys.ts'
import type { Limits } from './limits.ts'
import { roles as roleNames, type People, type Person } from './people.ts'
import { freshMinutes, type SignIn } from './sign-in.ts'

/** The credential for keys that `service.yaml` declares, beside those of the framework. */
type DeclaredCredential = 'wholesaleKey'

const credentials: Readonly<Record<KeyKind, 'bearer' | DeclaredCredential>> = {
  agent: 'bearer',
  wholesale: 'wholesaleKey'
}

/**
 * Returns a function that tells whether credentials are accepted: over a seeded database, whose secrets are known, only
 * if the base URL is local. With another base URL `isSeeded` is asked when credentials are first presented, and again
 * only if asking failed.
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

/** Finds and counts callers by their credentials. Finding throws a 503 while `mayLetIn` returns false. */
export function createCallers(
  people: People,
  signIn: SignIn,
  keys: Keys,
  limits: Limits,
  mayLetIn: () => Promise<boolean> = () => Promise.resolve(true)
): Callers<DeclaredCredential> {
  // The limits of each caller, whose object is created for one request.
  const countedAs = new WeakMap<Caller, Readonly<{ limit: number; person: string | undefined }>>()
  const known = <Name extends string>(caller: Caller<Name>, limit: number, person: string | undefined) => {
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
        if (session === undefined) return undefined
        const { id, person, roles, signed_in_at: signedInAt, form_token: formToken } = session
        return known(
          {
            credential: 'session',
            id: person,
            grants: roles,
            session: { id, signedInAt: new Date(signedInAt), formToken }
          },
          sessionLimit,
          person
        )
      }
      const key = await keys.find(presented.key)
      if (key === undefined) return undefined
      const { id, kind, scopes, tier, person } = key
      return known({ credential: credentials[kind], id, grants: scopes }, tiers[tier], person ?? undefined)
    },
    async count(caller) {
      const { limit = tiers.free, person } = countedAs.get(caller) ?? {}
      return await limits.count(caller, limit, person)
    },
    async keyForTests({ credential, grants, name = 'reader' }) {
      if (credential === 'session') {
        const roles = roleNames.filter(role => grants.includes(role))
        const username = ['tests', name, ...roles].join('-')
        const { id } = await people.add(username, roles)
        return (await signIn.withCode(username, await signIn.issueCode(id)))?.secret
      }
      const kind = keyKinds.find(one => credentials[one] === credential)
      if (kind === undefined) return undefined
      const { key } = await keys.create({
        kind,
        name: 'Examples that tests ask',
        contact: '',
        tier: 'partner',
        scopes: scopes.filter(scope => scope === 'read' || grants.includes(scope)),
        days: 1 / 24
      })
      return key
    }
  }
}

export function personOf({ id, session }: Caller): string {
  if (id === undefined || session === undefined) throw new Error('A surface without a session asks for its person.')
  return id
}

/**
 * Throws a 409 if the person acts on something of their own, so that nobody decides in their own favour or locks
 * themselves out.
 */
export function requireOther(actor: string, owners: readonly (string | null)[]): void {
  if (owners.includes(actor))
    throw conflict('Nobody does this to themselves. Another admin can, or a command at the machine.', { own: true })
}

/** Returns the person, if it is not the caller: 404 if there is no such person, 409 for the caller. */
export function otherPerson(caller: Caller, person: Person | undefined, username: string): Person {
  if (person === undefined) throw notFound('person', username)
  requireOther(personOf(caller), [person.id])
  return person
}

/** Throws a 403 if there is no session, or its sign-in is too old for an action that cannot be undone. */
export function requireFresh({ session }: Caller, now: Date): void {
  if (session !== undefined && now.getTime() - session.signedInAt.getTime() < freshMinutes * 60_000) return
  throw new SurfaceError(
    'FORBIDDEN',
    `This needs a sign-in that is less than ${freshMinutes} minutes old. Please sign in again, and repeat it.`,
    { details: { fresh_minutes: freshMinutes } }
  )
}

export function checkSecure(baseUrl: string): void {
  if (baseUrl.startsWith('https:') || isLocal(baseUrl)) return
  throw new SurfaceError(
    'FORBIDDEN',
    'Nobody can sign in over http: the address would give the session away. The service needs an https address in `PANTRY_BASE_URL`.'
  )
}

export function requireMail({ mail }: Readonly<{ mail: boolean }>): void {
  if (!mail) throw conflict('This service sends no mail. Its operator gives codes.', { mail: false })
}

export function requireSignUp({ sign_up: signUp }: Readonly<{ sign_up: string }>): void {
  if (signUp === 'closed') throw new SurfaceError('FORBIDDEN', 'Accounts are made by the operator here.')
}

const codeMismatch =
  'That code does not fit, was used, or has ended, or another browser asked for it. Please ask for a new one.'

/** Creates a 400 for a code, the same for every reason. */
export const invalidCode = (): SurfaceError => invalid('code', codeMismatch)

/** Creates a 401 for a code, the same for every reason. */
export const wrongCode = (): SurfaceError =>
  new SurfaceError('UNAUTHORIZED', codeMismatch, { headers: { 'WWW-Authenticate': 'Code realm="pantry"' } })
