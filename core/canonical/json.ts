/** A plain JSON value: the data that the stages of the framework exchange. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
/** One with members: no list, no text and no number. */
export type JsonObject = { readonly [key: string]: JsonValue }

/** A JSON Schema (2020-12 vocabulary, the part that is also valid draft-07). */
export type JsonSchema = { readonly [key: string]: unknown }

/** Whether a value is an object with members: not a list and not null. */
export function isObject(value: JsonValue | undefined): value is JsonObject
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
