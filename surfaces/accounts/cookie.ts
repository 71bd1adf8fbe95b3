import { browserCookie, sessionCookie } from 'pantry/data'
import { longestDays } from './sign-in.ts'

/** Not for scripts, and not sent with requests that other sites make, apart from links (RFC 6265bis §4.1.2). */
const attributes = (baseUrl: string, seconds: number): string =>
  `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`

export const cookieOf = (secret: string, baseUrl: string): string =>
  `${sessionCookie(baseUrl)}=${secret}; ${attributes(baseUrl, longestDays * 86_400)}`

/** Browsers keep no cookie longer (RFC 6265bis §5.5). */
const browserDays = 400

/** What a browser shows later, to be known again. */
export const browserCookieOf = (token: string, baseUrl: string): string =>
  `${browserCookie(baseUrl)}=${token}; ${attributes(baseUrl, browserDays * 86_400)}`

/** Takes the cookie away. */
export const noCookie = (baseUrl: string): string => `${sessionCookie(baseUrl)}=; ${attributes(baseUrl, 0)}`
