import { Type } from 'pantry/data'
import type { VNode } from 'pantry/page'

/**
 * A path of this service to which somebody goes on after signing in. It begins with a letter and has no backslash and
 * no bracket, so that no browser reads it as the address of another service.
 */
export const NextPath = Type.String({
  pattern: '^/[a-z][!-Z^-~]*$',
  maxLength: 400,
  description: 'The path to go on to after signing in.'
})

/** Returns the path of a page to sign in or to make an account, which leads on to another path of this service. */
export const leadingTo = (page: '/account/sign-in' | '/account/sign-up', next: string | undefined): string =>
  next === undefined ? page : `${page}?next=${encodeURIComponent(next)}`

/** The field of a form that keeps where to go on to; the script of passkeys reads it too. */
export const NextField = ({ to }: Readonly<{ to: string | undefined }>): VNode | null =>
  to === undefined ? null : <input type="hidden" name="next" value={to} />
