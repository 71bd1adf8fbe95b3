import type { Credential } from './access.ts'

/**
 * Name of the cookie of a session. With the prefix, a browser takes it only from this very host over https, for all of
 * it (RFC 6265bis §4.1.3.2); over http no cookie may have it.
 */
export const sessionCookie = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-pantry_session' : 'pantry_session'

/** Name of the cookie by which a browser shows that somebody signed in with it before. It signs nobody in. */
export const browserCookie = (baseUrl: string): string => sessionCookie(baseUrl).replace('session', 'browser')

/** What a person who is signed in presents. */
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
