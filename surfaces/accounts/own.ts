import { invalid, isLocal, notFound, SurfaceError, type Caller } from 'pantry/data'
import { conflict } from '../errors.ts'
import type { Person } from './people.ts'
import { freshMinutes } from './sign-in.ts'

/** The id of the person who asks; only on surfaces for signed-in people. */
export function personOf({ id, session }: Caller): string {
  if (id === undefined || session === undefined) throw new Error('A surface without a session asks for its person.')
  return id
}

/**
 * 409 for who would act for the service on what is theirs: nobody decides what they gain by, and an operator locks
 * nobody out by a slip.
 */
export function requireOther(actor: string, whose: readonly (string | null)[]): void {
  if (whose.includes(actor))
    throw conflict('Nobody does this to themselves. Another admin can, or a command at the machine.', { own: true })
}

/** Somebody else than who asks; 404 for nobody, 409 for themselves. */
export function otherPerson(caller: Caller, person: Person | undefined, username: string): Person {
  if (person === undefined) throw notFound('person', username)
  requireOther(personOf(caller), [person.id])
  return person
}

/** 403 for a session that began too long ago for what cannot be taken back. */
export function requireFresh({ session }: Caller, now: Date): void {
  if (session !== undefined && now.getTime() - session.signedInAt.getTime() < freshMinutes * 60_000) return
  throw new SurfaceError(
    'FORBIDDEN',
    `This needs a sign-in that is less than ${freshMinutes} minutes old. Please sign in again, and repeat it.`,
    { details: { fresh_minutes: freshMinutes } }
  )
}

/** Whether a session may begin: over https, or on this machine alone. */
export function checkSecure(baseUrl: string): void {
  if (baseUrl.startsWith('https:') || isLocal(baseUrl)) return
  throw new SurfaceError(
    'FORBIDDEN',
    'Nobody can sign in over http: the address would give the session away. The service needs an https address in `PANTRY_BASE_URL`.'
  )
}

/** 409 where no mail is sent. */
export function requireMail({ mail }: Readonly<{ mail: boolean }>): void {
  if (!mail) throw conflict('This service sends no mail. Its operator gives codes.', { mail: false })
}

/** 403 where nobody makes an account of their own. */
export function requireSignUp({ sign_up: signUp }: Readonly<{ sign_up: string }>): void {
  if (signUp === 'closed') throw new SurfaceError('FORBIDDEN', 'Accounts are made by the operator here.')
}

const misfit =
  'That code does not fit, was used, or has ended, or another browser asked for it. Please ask for a new one.'

/** 400 for a mailed code of somebody who is signed in, whatever does not fit. */
export const invalidCode = (): SurfaceError => invalid('code', misfit)

/** 401 for a mailed code that signs in, whatever does not fit. */
export const wrongCode = (): SurfaceError =>
  new SurfaceError('UNAUTHORIZED', misfit, { headers: { 'WWW-Authenticate': 'Code realm="pantry"' } })
