import { browserCookie, sessionCookie } from 'pantry/data'
import { longestDays } from './sign-in.ts'

/**
 * Hidden from scripts, and not sent with requests from other sites, except when a link is followed (RFC 6265bis
 * §4.1.2).
 */
const attributes = (baseUrl: string, seconds: number): string =>
  `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`

export const cookieOf = (secret: string, baseUrl: string): string =>
  `${sessionCookie(baseUrl)}=${secret}; ${attributes(baseUrl, longestDays * 86_400)}`

/** Browsers keep cookies for at most 400 days (RFC 6265bis §5.5). */
const browserDays = 400

/** Returns the cookie by which a browser is recognised later. */
export const browserCookieOf = (token: string, baseUrl: string): string =>
  `${browserCookie(baseUrl)}=${token}; ${attributes(baseUrl, browserDays * 86_400)}`

/** Returns the header that deletes the session cookie. */
export const noCookie = (baseUrl: string): string => `${sessionCookie(baseUrl)}=; ${attributes(baseUrl, 0)}`
