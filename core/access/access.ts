import type { JsonObject } from '../canonical/json.ts'

/** What a caller presents to show who asks. */
export type Credential = Readonly<{
  /** Name of the security scheme in OpenAPI. */
  name: string
  /** Scheme of `WWW-Authenticate` (RFC 9110 §11.6.1). */
  challenge: string
  /** The security scheme as OpenAPI describes it. It says where the credential is in a request. */
  scheme: JsonObject
}>

/**
 * Who asks, resolved from what a request presents before a surface answers; a surface never reads credentials itself.
 */
export type Caller = Readonly<{
  /** Name of the one valid credential; absent for an anonymous caller. */
  credential?: string
  /** What the services call the person or the key. Never published. */
  id?: string
  /** Roles of the person, scopes of the key. */
  grants: readonly string[]
  /** Of a session: its own id, when it began, and what its forms carry. */
  session?: Readonly<{ id: string; signedInAt: Date; formToken: string }>
  /**
   * Of a browser without a session: what it was given when somebody signed in with it. It proves nothing before it is
   * checked.
   */
  browser?: string
}>

export const anonymous: Caller = Object.freeze({ grants: [] })

/** How many requests a caller has in a window, and whether this one is one of them. */
export type Counted = Readonly<{
  isAllowed: boolean
  limit: number
  windowSeconds: number
  remaining: number
  resetSeconds: number
}>

/**
 * Who tells callers apart: the service `callers` of a root. Both reject with a SurfaceError where their store cannot be
 * read.
 */
export type Callers = Readonly<{
  /** The caller whose session or key it is; undefined where it is none, or no longer one. */
  find: (presented: Readonly<{ session: string } | { key: string }>, now: Date) => Promise<Caller | undefined>
  /** Counts a request of a caller with a credential. */
  count: (caller: Caller, now: Date) => Promise<Counted>
}>

/** One answer to the question who may call a surface, by its name in the table of `index.ts`. */
export type AccessModule = Readonly<{
  /** Who may call: `This surface is for …`. */
  meaning: string
  /** What the caller presents; absent where everyone may call. */
  credential?: Credential
  /** The role of the person or scope of the key that it takes; none when absent. */
  grant?: string
}>
