import { SurfaceError } from '../handler/errors.ts'
import type { Access } from '../vocabulary/words.ts'

/** Who asks. Until sign-in and keys exist every caller is anonymous, which is all that a public surface needs. */
export type Caller = Readonly<{ holds: ReadonlySet<Access> }>

export const anonymous: Caller = { holds: new Set(['public']) }

const challenge: Readonly<Record<Access, string>> = {
  public: '',
  user: 'Cookie',
  agent: 'Bearer',
  admin: 'Cookie',
  'wholesale-key': 'Bearer'
}

/** Refuses a caller that the surface is not for, before anything of the request is read. */
export function gate (access: Access, caller: Caller): void {
  if (caller.holds.has(access)) return
  throw new SurfaceError('UNAUTHORIZED', 'This surface is not open to anonymous callers.', {
    details: { access },
    headers: { 'WWW-Authenticate': `${challenge[access]} realm="pantry"` }
  })
}
