import { readFileSync } from 'node:fs'
import { isObject, type JsonValue } from '../canonical/json.ts'
import type { Example } from '../manifest/surface.ts'
import type { FolderFile } from '../source/read-folder.ts'
import type { Reuse } from '../source/reuse.ts'

/** Below `manifests/`: what `pantry test --record` wrote. */
export const answersFile = 'examples.json'

/**
 * What examples answered, by method and URL: the data of an envelope, a whole JSON document, or text. Lists are cut, so
 * each is an excerpt; it has the license of its surface.
 */
export type RecordedAnswers = Readonly<Record<string, JsonValue>>

/** Where the origin of the service goes in a recorded answer, and its host alone. */
const marks = (origin: string): readonly (readonly [string, string])[] => [
  ['$origin', origin],
  ['$host', new URL(origin).host]
]

/** A recorded answer without the place where it was recorded. */
export const withoutOrigin = (answer: JsonValue, origin: string): JsonValue =>
  JSON.parse(
    marks(origin).reduce((text, [mark, value]) => text.replaceAll(value, mark), JSON.stringify(answer))
  ) as JsonValue

/** A recorded answer as the service at `origin` gives it. */
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

/** What an answer is recorded by. */
export const answerKey = ({ method, url }: Example): string => `${method} ${url}`

/**
 * The recorded answers of a root. A file that cannot be read records nothing: it is made again, never written by hand.
 */
export function readAnswers(files: readonly FolderFile[], reuse: Reuse): RecordedAnswers {
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
