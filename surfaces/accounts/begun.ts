import type { Caller, Service } from 'pantry/data'
import type { Browsers } from './browsers.ts'
import { browserCookieOf, cookieOf } from './cookie.ts'
import type { SignIn } from './sign-in.ts'

type Begun = Readonly<{ secret: string; person: string }>

/**
 * Returns the cookies of a new sign-in. Always starts a new session and ends the previous one, which prevents session
 * fixation. The browser is recognised from then on.
 */
export async function cookiesOf(
  { secret, person }: Begun,
  { caller, service }: Readonly<{ caller: Caller; service: Service }>,
  { signIn, browsers }: Readonly<{ signIn: SignIn; browsers: Browsers }>
): Promise<readonly string[]> {
  if (caller.session !== undefined && caller.id !== undefined) await signIn.end(caller.id, caller.session.id)
  const { base_url: baseUrl } = service
  return [cookieOf(secret, baseUrl), browserCookieOf(await browsers.tokenOf(person), baseUrl)]
}
