import { isObject, type JsonValue } from '../../core/canonical/json.ts'
import { shownExample } from '../../core/discovery/parameters.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { answerKey, withoutOrigin, type RecordedAnswers } from '../../core/registry/recorded-answers.ts'
import { compileSchema } from '../../core/schema/compile.ts'
import { jsonOf, mediaTypeOf, payloadOf, type Subject } from './examples.ts'

/** The most characters of an excerpt, as JSON. */
const maxExcerptLength = 12_000

/** The member that is left out, because OpenAPI tools resolve it even in examples. */
const followed = '$ref'

/**
 * Whether a value contains an object with `type` and `example`, which OpenAPI tools would validate as a schema with an
 * example.
 */
const looksLikeSchema = (value: JsonValue): boolean =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).some(looksLikeSchema)
    : isObject(value) && (('type' in value && 'example' in value) || Object.values(value).some(looksLikeSchema))

/** How many list items, object members and characters of a text to keep. */
type Measure = Readonly<{ items: number; members: number; characters: number }>

/**
 * Shortens a value: keeps the first items of lists, the first members of nested objects and the beginnings of texts,
 * and leaves out `$ref`.
 */
function cut(value: JsonValue, measure: Measure, members = Infinity): JsonValue {
  const deeper = Math.ceil(Math.min(members / 2, measure.members))
  if (typeof value === 'string')
    return value.length > measure.characters ? `${value.slice(0, measure.characters)}…` : value
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).slice(0, measure.items).map(item => cut(item, measure, deeper))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== followed)
      .slice(0, members)
      .map(([name, member]) => [name, cut(member, measure, deeper)])
  )
}

const measures: readonly Measure[] = [
  [2, Infinity],
  [1, Infinity],
  [0, Infinity],
  [Infinity, Infinity],
  [1, 12],
  [1, 6]
].map(([items = 1, members = 1]) => ({ items, members, characters: 4_000 }))

/**
 * Returns the first excerpt, in the order of `measures`, that is short enough, matches the published schema and does
 * not look like a schema.
 */
const excerptOf = (value: JsonValue, fits: (value: JsonValue) => boolean): JsonValue | undefined =>
  measures
    .map(measure => cut(value, measure))
    .find(excerpt => JSON.stringify(excerpt).length <= maxExcerptLength && !looksLikeSchema(excerpt) && fits(excerpt))

async function answerTo(
  subject: Subject,
  surface: Surface,
  method: string
): Promise<readonly [string, JsonValue] | undefined> {
  const example = shownExample(surface, method)
  if (example === undefined || surface.fixed !== undefined) return undefined
  const response = await subject.run(example)
  const isJson = /[/+]json$/.test(mediaTypeOf(response))
  const body = isJson ? ((await jsonOf(response)) as JsonValue) : await response.text()
  const value = isJson ? ((payloadOf(surface, body) ?? null) as JsonValue) : body
  const excerpt = excerptOf(value, one => !isJson || compileSchema(surface.output)(one).length === 0)
  return excerpt === undefined
    ? undefined
    : [answerKey(example), withoutOrigin(excerpt, subject.registry.service.base_url)]
}

export async function recordAnswers(subject: Subject): Promise<RecordedAnswers> {
  const found: (readonly [string, JsonValue] | undefined)[] = []
  for (const surface of subject.registry.surfaces)
    for (const method of surface.route.methods) found.push(await answerTo(subject, surface, method))
  return Object.fromEntries(found.filter(one => one !== undefined))
}

/** Writes each answer on one line, so that a change of one is a one-line diff. */
export const answersText = (answers: RecordedAnswers): string =>
  `{\n${Object.entries(answers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n}\n`
