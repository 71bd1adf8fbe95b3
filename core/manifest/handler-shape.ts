import type { JsonSchema } from '../canonical/json.ts'

/** What the framework may know of a handler before a request: its schemas. */
export type HandlerShape = Readonly<{
  params?: JsonSchema
  query?: JsonSchema
  body?: Readonly<{ schema: JsonSchema, limitBytes: number }>
  /** Schema of the reply's `data`. */
  reply: JsonSchema
}>
