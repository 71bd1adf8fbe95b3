import { isObject, type JsonValue } from 'pantry/data'

/**
 * Returns the main content of an enveloped response: its list (by default `draws`, that of the tarot) if it has one,
 * otherwise all of `data`.
 */
export function subjectOf(body: string, list = 'draws'): JsonValue {
  const { data } = JSON.parse(body) as { data: JsonValue }
  return isObject(data) ? (data[list] ?? data) : data
}
