import type { AccessModule, Caller } from '../access/access.ts'
import type { Access } from '../access/index.ts'
import { SurfaceError } from '../handler/errors.ts'

/**
 * Refuses a caller that the surface is not for, before anything of the request is read: 401 without the credential that the
 * access kind takes, also with another one (RFC 9110 §15.5.2); 403 with it, where it does not reach so far (§15.5.4).
 */
export function gate (access: Access, { meaning, credential, admits }: AccessModule, caller: Caller): void {
  if (credential === undefined) return
  const isFor = `This surface is for ${meaning}.`
  if (caller.credential !== credential.name) {
    const message = caller.credential === undefined ? 'This surface is not open to anonymous callers.' : isFor
    throw new SurfaceError('UNAUTHORIZED', message, { details: { access }, headers: { 'WWW-Authenticate': `${credential.challenge} realm="pantry"` } })
  }
  if (admits !== undefined && !admits(caller)) throw new SurfaceError('FORBIDDEN', isFor, { details: { access } })
}
