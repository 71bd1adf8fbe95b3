import { invalid, isLocal, notFound, SurfaceError, type Caller } from 'pantry/data'
import { conflict } from '../errors.ts'
import type { Person } from './people.ts'
import { freshMinutes } from './sign-in.ts'

/** Returns the id of the caller; only for surfaces that require a session. */
export function personOf({ id, session }: Caller): string {
  if (id === undefined || session === undefined) throw new Error('A surface without a session asks for its person.')
  return id
}

/**
 * Throws a 409 if the person would act as an operator on something of their own, so that nobody decides in their own
 * favour or locks themselves out by mistake.
 */
export function requireOther(actor: string, whose: readonly (string | null)[]): void {
  if (whose.includes(actor))
    throw conflict('Nobody does this to themselves. Another admin can, or a command at the machine.', { own: true })
}

/** Returns the person if it is not the caller; 404 if there is none, 409 for the caller. */
export function otherPerson(caller: Caller, person: Person | undefined, username: string): Person {
  if (person === undefined) throw notFound('person', username)
  requireOther(personOf(caller), [person.id])
  return person
}

/** Throws a 403 if the session's sign-in is too old for an action that cannot be undone. */
export function requireFresh({ session }: Caller, now: Date): void {
  if (session !== undefined && now.getTime() - session.signedInAt.getTime() < freshMinutes * 60_000) return
  throw new SurfaceError(
    'FORBIDDEN',
    `This needs a sign-in that is less than ${freshMinutes} minutes old. Please sign in again, and repeat it.`,
    { details: { fresh_minutes: freshMinutes } }
  )
}

/** Throws a 403 unless the service is reached over https or on this machine alone. */
export function checkSecure(baseUrl: string): void {
  if (baseUrl.startsWith('https:') || isLocal(baseUrl)) return
  throw new SurfaceError(
    'FORBIDDEN',
    'Nobody can sign in over http: the address would give the session away. The service needs an https address in `PANTRY_BASE_URL`.'
  )
}

/** Throws a 409 if the service sends no mail. */
export function requireMail({ mail }: Readonly<{ mail: boolean }>): void {
  if (!mail) throw conflict('This service sends no mail. Its operator gives codes.', { mail: false })
}

/** Throws a 403 if people cannot create accounts themselves. */
export function requireSignUp({ sign_up: signUp }: Readonly<{ sign_up: string }>): void {
  if (signUp === 'closed') throw new SurfaceError('FORBIDDEN', 'Accounts are made by the operator here.')
}

const misfit =
  'That code does not fit, was used, or has ended, or another browser asked for it. Please ask for a new one.'

/** Returns the 400 for a mailed code of a signed-in person, the same for every reason. */
export const invalidCode = (): SurfaceError => invalid('code', misfit)

/** Returns the 401 for a mailed code to sign in with, the same for every reason. */
export const wrongCode = (): SurfaceError =>
  new SurfaceError('UNAUTHORIZED', misfit, { headers: { 'WWW-Authenticate': 'Code realm="pantry"' } })
