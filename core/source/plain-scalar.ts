import type { JsonValue } from '../canonical/json.ts'

/** Thrown when a text uses more than plain YAML; `plainYaml` catches it. */
export class NotPlainYaml extends Error {}

export function refuse(): never {
  throw new NotPlainYaml()
}

const number = /^(?:0|-?[1-9]\d{0,15}|-?(?:0|[1-9]\d{0,14})\.\d{1,15})$/
/** Matches all other texts that the core schema (YAML 1.2.2 §10.3.2) does not read as strings. */
const noText =
  /^(?:[-+]?(?:\d+|\.\d+|\d+\.\d*)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...['~', 'null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const)
])

/** Returns the value of an unquoted text. */
export function scalarOf(text: string): JsonValue {
  const word = words.get(text)
  if (word !== undefined) return word
  if (number.test(text))
    return Number.isInteger(Number(text)) && !Number.isSafeInteger(Number(text)) ? refuse() : Number(text)
  return noText.test(text) ? refuse() : text
}
