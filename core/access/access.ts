import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JsonObject } from '../canonical/json.ts'
import { urlOf } from '../canonical/url.ts'

/** A credential that identifies a caller. */
export type Credential = Readonly<{
  /** Name of the security scheme in OpenAPI. */
  name: string
  /** Scheme of `WWW-Authenticate` (RFC 9110 §11.6.1). */
  challenge: string
  /** The security scheme in OpenAPI; it says where a request carries the credential. */
  scheme: JsonObject
}>

/**
 * The caller of a request, resolved from its credentials before a surface answers; a surface never reads credentials
 * itself.
 */
export type Caller = Readonly<{
  /** Name of the valid credential; absent for an anonymous caller. */
  credential?: string
  /** The services' id of the person or the key. Never published. */
  id?: string
  /** Roles of the person or scopes of the key. */
  grants: readonly string[]
  /** For a session: its id, its start, and the token that its forms carry. */
  session?: Readonly<{ id: string; signedInAt: Date; formToken: string }>
  /**
   * For a browser without a session: the value of the cookie that it got when somebody signed in with it. It proves
   * nothing until it is checked.
   */
  browser?: string
}>

export const anonymous: Caller = Object.freeze({ grants: [] })

/** The rate window of a caller, and whether this request is within its limit. */
export type Counted = Readonly<{
  isAllowed: boolean
  limit: number
  windowSeconds: number
  remaining: number
  resetSeconds: number
}>

/**
 * Identifies callers: the service `callers` of a root. Both functions reject with a SurfaceError if their store cannot
 * be read.
 */
export type Callers = Readonly<{
  /** Returns the caller with this session or key; undefined if it is unknown or no longer valid. */
  find: (presented: Readonly<{ session: string } | { key: string }>, now: Date) => Promise<Caller | undefined>
  /** Counts a request of an identified caller. */
  count: (caller: Caller, now: Date) => Promise<Counted>
}>

/** An access kind, which says who may call a surface; `index.ts` lists them by name. */
export type AccessModule = Readonly<{
  /** Who may call, in words: `This surface is for …`. */
  meaning: string
  /** The required credential; absent if everyone may call. */
  credential?: Credential
  /** The required role of the person or scope of the key; absent if none is required. */
  grant?: string
}>

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

const form = /^pantry_(?<tag>[a-z]{3})_[\w-]{43}[\w-]{6}$/

const sumOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6)

/**
 * Creates a key: `pantry_`, three letters for its purpose, 256 random bits in base64url (RFC 4648 §5), and a checksum
 * with which scanners and typing errors are detected without a look-up.
 */
export function newKey(tag: string): string {
  const text = `pantry_${tag}_${randomBytes(32).toString('base64url')}`
  return text + sumOf(text)
}

/** Returns the three letters for the purpose of a key; undefined for a text that is not a key. */
export function keyTag(text: string): string | undefined {
  const tag = form.exec(text)?.groups?.['tag']
  return tag === undefined || sumOf(text.slice(0, -6)) !== text.slice(-6) ? undefined : tag
}

const partOfKey = /pantry_[a-z]{3}_[\w-]{8}/

/** Decodes percent-encoded ASCII characters (RFC 3986 §2.1). */
const decoded = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([2-7][\da-f])/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))
    : text

/**
 * Tells whether a text contains a key or a part of one, even percent-encoded: no key belongs in a URL (RFC 6750 §5.3).
 */
export const holdsKey = (text: string): boolean => partOfKey.test(decoded(text))

/** Creates a secret: 256 random bits in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Returns the hash of a secret to store: its SHA-256, in hex. A secret of 256 random bits needs no salt (NIST SP
 * 800-63B §5.1.2).
 */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Tells whether two texts are equal, in a time that does not reveal where they differ. */
export const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Tells whether a URL has a loopback host. */
export const isLocal = (url: string): boolean => loopback.test(urlOf(url)?.hostname ?? '')

/**
 * Tells whether a request with this `Host` is meant for the service at `baseUrl`. On a local service, only loopback
 * names are accepted: the owner of another name can point it to this machine and let a browser send requests under it
 * (DNS rebinding). Other services accept any name, because a gateway may change it.
 */
export const isOwnHost = (host: string | readonly string[] | undefined, baseUrl: string): boolean =>
  host === undefined || !isLocal(baseUrl) || isLocal(`http://${String(host)}`)
