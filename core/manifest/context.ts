import type { JsonSchema } from '../canonical/json.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { FixedDocument } from '../corpus/document.ts'
import type { ErrorMeaning } from '../vocabulary/error-codes.ts'
import type { HandlerShape } from './handler-shape.ts'
import type { Service } from './service.ts'

/** What a manifest may refer to. The registry has checked that the target of each reference exists. */
export type Context = Readonly<{
  service: Service
  corpora: ReadonlyMap<string, Corpus>
  documents: ReadonlyMap<string, FixedDocument>
  handlers: ReadonlyMap<string, HandlerShape>
  /** Every error code that an answer may have. */
  errors: Readonly<Record<string, ErrorMeaning>>
  /** Returns the schema of a discovery document with the members that the roots add to it. */
  extended: (document: string, schema: JsonSchema) => JsonSchema
}>

/**
 * Returns a value that an earlier stage has checked to exist. Throws if it is missing, because that is a bug in the
 * program, not an error of a contributor.
 */
export function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Not checked before it was used: ${what}.`)
  return value
}
