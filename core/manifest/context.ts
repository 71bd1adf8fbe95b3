import type { JsonSchema } from '../canonical/json.ts'
import type { DiscoveryDocument } from '../vocabulary/words.ts'
import type { HandlerShape } from './handler-shape.ts'

/** What the registry knows of a discovery document before a request. */
export type DiscoveryShape = Readonly<{ input?: Readonly<{ params?: JsonSchema, query?: JsonSchema }>, schema: JsonSchema }>

/** What a manifest may refer to. The registry has checked that each reference leads somewhere. */
export type Context = Readonly<{
  freshness: Readonly<Record<string, Readonly<{ seconds: number }>>>
  corpora: ReadonlyMap<string, Readonly<{ schema: JsonSchema, order: readonly string[] }>>
  documents: ReadonlyMap<string, Readonly<{ schema: JsonSchema }>>
  handlers: ReadonlyMap<string, HandlerShape>
  discovery: ReadonlyMap<DiscoveryDocument, DiscoveryShape>
}>

/** A value that an earlier stage has made sure of; its absence is a fault of the program, not of a contributor. */
export function known<T> (value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Not checked before it was used: ${what}.`)
  return value
}
