import { isObject, type JsonValue } from 'pantry/data'

/**
 * What an enveloped answer is about: its list, where it has one (that of the tarot is `draws`), else the whole content.
 */
export function subjectOf(body: string, list = 'draws'): JsonValue {
  const { data } = JSON.parse(body) as { data: JsonValue }
  return isObject(data) ? (data[list] ?? data) : data
}
