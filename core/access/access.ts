import type { JsonObject } from '../canonical/json.ts'

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
