import { readFileSync } from 'node:fs'
import { isObject, type JsonValue } from '../canonical/json.ts'
import type { Example } from '../manifest/surface.ts'
import type { FolderFile, LoadCache } from '../source/read-folder.ts'

/** Name of the file with recorded answers below `manifests/`. `pantry test --record` writes the file. */
export const answersFile = 'examples.json'

/**
 * Recorded answers to the examples, by method and URL: the data, a JSON document, or a text. Long lists are shortened.
 */
export type RecordedAnswers = Readonly<Record<string, JsonValue>>

/** Returns the placeholders of recorded answers, each with the text that it replaces. */
const marks = (origin: string): readonly (readonly [string, string])[] => [
  ['$origin', origin],
  ['$host', new URL(origin).host]
]

/** Replaces an origin and its host with placeholders in an answer that will be recorded. */
export const withoutOrigin = (answer: JsonValue, origin: string): JsonValue =>
  JSON.parse(
    marks(origin).reduce((text, [mark, value]) => text.replaceAll(value, mark), JSON.stringify(answer))
  ) as JsonValue

/** Replaces the placeholders in a recorded answer with an origin and its host. */
export function withOrigin(answer: JsonValue, origin: string): JsonValue {
  const all = marks(origin)
  const textOf = (text: string): string =>
    text.includes('$') ? all.reduce((changed, [mark, value]) => changed.replaceAll(mark, value), text) : text
  const valueOf = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return textOf(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return (value as JsonValue[]).map(valueOf)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [textOf(name), valueOf(member)]))
  }
  return valueOf(answer)
}

/** Returns the key under which the answer to an example is recorded. */
export const answerKey = ({ method, url }: Example): string => `${method} ${url}`

/**
 * Returns the recorded answers of a root. If the file cannot be read there are none, and nothing is reported, because a
 * command writes the file.
 */
export function readAnswers(files: readonly FolderFile[], reuse: LoadCache): RecordedAnswers {
  const file = files.find(({ name }) => name === answersFile)
  return file === undefined
    ? {}
    : reuse.of(file.path, [file.bytes], () => {
        try {
          const value = JSON.parse(readFileSync(file.real, 'utf8')) as JsonValue
          return isObject(value) ? value : {}
        } catch {
          return {}
        }
      })
}
