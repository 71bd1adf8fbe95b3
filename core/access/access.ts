import type { JsonObject } from '../canonical/json.ts'

/** What a caller presents to show who asks. */
export type Credential = Readonly<{
  /** Name of the security scheme in OpenAPI. */
  name: string
  /** Scheme of `WWW-Authenticate` (RFC 9110 §11.6.1). */
  challenge: string
  /** The security scheme as OpenAPI describes it. */
  scheme: JsonObject
}>

/** Who asks, resolved from what a request presents before a surface answers; a surface never reads credentials itself. */
export type Caller = Readonly<{
  /** Name of the one valid credential; absent for an anonymous caller. */
  credential?: string
  /** Roles of the person, scopes of the key. */
  grants: readonly string[]
}>

export const anonymous: Caller = Object.freeze({ grants: [] })

/** One answer to the question who may call a surface, by its name in the table of `index.ts`. */
export type AccessModule = Readonly<{
  /** Who may call: `This surface is for …`. */
  meaning: string
  /** What the caller presents; absent where everyone may call. */
  credential?: Credential
  /** Whether a caller with that credential may call; everyone who has it when absent. */
  admits?: (caller: Caller) => boolean
}>
