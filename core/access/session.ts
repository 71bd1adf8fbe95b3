import type { Credential } from './access.ts'

/**
 * Returns the name of the session cookie. With the prefix `__Host-`, a browser accepts the cookie only over https, from
 * exactly this host and for all its paths (RFC 6265bis §4.1.3.2); over http the prefix is not allowed.
 */
export const sessionCookie = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-pantry_session' : 'pantry_session'

/**
 * Returns the name of the cookie that shows that somebody has signed in with this browser before. It signs nobody in.
 */
export const browserCookie = (baseUrl: string): string => sessionCookie(baseUrl).replace('session', 'browser')

/** The credential of a signed-in person. */
export const session: Credential = {
  name: 'session',
  challenge: 'Cookie',
  scheme: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-pantry_session',
    description: 'Session of a signed-in person; `pantry_session` where the service answers over http. Not for agents.'
  }
}
