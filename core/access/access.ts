import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JsonObject } from '../canonical/json.ts'
import { basePathOf, urlOf } from '../canonical/url.ts'

/** A credential that identifies a caller. */
export type Credential = Readonly<{
  /** Name of the security scheme in OpenAPI. */
  name: string
  /** Scheme of `WWW-Authenticate` (RFC 9110 §11.6.1). */
  challenge: string
  /** The security scheme in OpenAPI, which says where a request carries the credential. */
  scheme: JsonObject
}>

/** The credentials of the framework: `session` of the access kinds `user` and `admin`, `bearer` of `agent`. */
type OwnCredential = 'session' | 'bearer'

/** The caller of a request, resolved from its credentials; a surface never reads credentials itself. */
export type Caller<Credentials extends string = string> = Readonly<{
  /** Name of the valid credential, as an access kind has it (`credential.name`); absent for an anonymous caller. */
  credential?: Credentials
  /** Id of the signed-in person or of the key. Never published. */
  id?: string
  /** Roles of the person or scopes of the key. */
  grants: readonly string[]
  /** `formToken` is the value of the hidden field `token` in forms (against CSRF). */
  session?: Readonly<{ id: string; signedInAt: Date; formToken: string }>
  /**
   * The value of the browser cookie (`browserCookie`) of a caller who is not signed in. It proves nothing until it is
   * checked.
   */
  browser?: string
}>

export const anonymous: Caller = Object.freeze({ grants: [] })

/** A rate window, and whether this request is within its limit. */
export type Counted = Readonly<{
  isAllowed: boolean
  limit: number
  windowSeconds: number
  remaining: number
  resetSeconds: number
}>

/** What a request carries to say who calls: the secret of a session, or a key. */
type Presented = Readonly<{ session: string } | { key: string }>

/**
 * Identifies callers and counts their requests: the service `callers` of a root. Both functions reject with a
 * SurfaceError if the store cannot be read. `Declared` are the names of credentials under `access:` of service.yaml.
 */
export type Callers<Declared extends string = never> = Readonly<{
  /** Resolves to undefined if the session or key is unknown or no longer valid. */
  find: (presented: Presented, now: Date) => Promise<Caller<OwnCredential | Declared> | undefined>
  count: (caller: Caller, now: Date) => Promise<Counted>
  /**
   * Makes a key for examples with `as`, of a caller with this credential and these scopes, or for claims the secret of
   * a session of the person `name` with these roles; `undefined` for a credential that it has no secrets of. Only tests
   * call it, over a database of their own. Without it such examples and claims get none.
   */
  keyForTests?: (
    wanted: Pick<Caller, 'grants'> & Readonly<{ credential: string; name?: string | undefined }>
  ) => Promise<string | undefined>
}>

/** An access kind: who may call a surface. */
export type AccessModule = Readonly<{
  /** Completes the sentence `This surface is for …`. */
  meaning: string
  /** The credential that a caller must have; absent if everyone may call. */
  credential?: Credential
  /** The role that the person, or the scope that the key must have. */
  grant?: string
}>

/**
 * Returns the name of the session cookie. A browser accepts the prefix `__Host-` only over https, from exactly this
 * host and for all its paths (RFC 6265bis §4.1.3.2), so a service under a path has `__Secure-` instead. Its name holds
 * the path, because a browser also sends the cookies of paths above.
 */
export function sessionCookie(baseUrl: string): string {
  const base = basePathOf(baseUrl)
  const name = `pantry_session${base.replaceAll('/', '.')}`
  return baseUrl.startsWith('https:') ? `${base === '' ? '__Host-' : '__Secure-'}${name}` : name
}

/** Returns the value of `Path` of a cookie: the paths with which browsers send it. */
export const cookiePath = (baseUrl: string): string => basePathOf(baseUrl) || '/'

/** Returns the name of the cookie that shows an earlier sign-in with this browser. The cookie signs nobody in. */
export const browserCookie = (baseUrl: string): string =>
  sessionCookie(baseUrl).replace('pantry_session', 'pantry_browser')

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
 * by which secret scanners recognise a key and typing errors are detected.
 */
export function newKey(tag: string): string {
  const text = `pantry_${tag}_${randomBytes(32).toString('base64url')}`
  return text + sumOf(text)
}

/**
 * Returns the three letters for the purpose of a key; undefined for a text that has another form or a wrong checksum.
 */
export function keyTag(text: string): string | undefined {
  const tag = form.exec(text)?.groups?.['tag']
  return tag === undefined || sumOf(text.slice(0, -6)) !== text.slice(-6) ? undefined : tag
}

const partOfKey = /pantry_[a-z]{3}_[\w-]{8}/

/** Decodes the percent-encoded octets 20 to 7F (RFC 3986 §2.1). */
const decoded = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([2-7][\da-f])/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))
    : text

/**
 * Tells whether a text contains a key or its first characters, even percent-encoded: none belongs in a URL (RFC 6750
 * §5.3).
 */
export const holdsKey = (text: string): boolean => partOfKey.test(decoded(text))

/** Creates a secret: 256 random bits in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Returns the SHA-256 of a secret to store, in hex. 256 random bits need no salt (NIST SP 800-63B §5.1.2). */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Tells whether two texts are equal, in a time that does not reveal where they differ. */
export const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Tells whether a URL has a loopback host. */
export const isLocal = (url: string): boolean => loopback.test(urlOf(url)?.hostname ?? '')

/**
 * Tells whether a request with this `Host` is meant for the service at `baseUrl`; a request without one (undefined) is.
 * A local service accepts only loopback names, because another name may lead to this machine (DNS rebinding); others
 * accept any name, because a gateway may change it.
 */
export const isOwnHost = (host: string | readonly string[] | undefined, baseUrl: string): boolean =>
  host === undefined || !isLocal(baseUrl) || isLocal(`http://${String(host)}`)
