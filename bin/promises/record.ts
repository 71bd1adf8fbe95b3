import { isObject, type JsonObject, type JsonValue } from '../../core/canonical/json.ts'
import { shownExample } from '../../core/discovery/parameters.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { answerKey, originMark, type RecordedAnswers } from '../../core/registry/recorded-answers.ts'
import { compileSchema } from '../../core/schema/compile.ts'
import { requestOf } from './examples.ts'
import { jsonOf, mediaTypeOf, type Subject } from './subject.ts'

/** Characters of an excerpt. */
const longest = 12_000
/** Lines of an excerpt of a text. */
const lines = 30

/** A value with lists cut to their first items. */
function cut (value: JsonValue, items: number): JsonValue {
  if (typeof value === 'string' && value.split('\n').length > lines) return `${value.split('\n').slice(0, lines).join('\n')}\n`
  if (Array.isArray(value)) return (value as readonly JsonValue[]).slice(0, items).map(item => cut(item, items))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, items)])) : value
}

/** Members that readers of OpenAPI would follow or judge, also in an example. */
const isFollowed = (text: string): boolean => /"(\$ref|\$id|example)":/.test(text)

/** The longest excerpt that is short enough and keeps the published shape. */
const excerptOf = (value: JsonValue, fits: (value: JsonValue) => boolean): JsonValue | undefined =>
  [2, 1, Infinity].map(items => cut(value, items)).find(excerpt => JSON.stringify(excerpt).length <= longest && fits(excerpt))

async function answerTo (subject: Subject, surface: Surface, method: string): Promise<readonly [string, JsonValue] | undefined> {
  const example = shownExample(surface, method)
  if (example === undefined || surface.fixed !== undefined) return undefined
  const response = await subject.ask(example.url, requestOf(example))
  const isJson = mediaTypeOf(response) === 'application/json'
  const body = isJson ? await jsonOf(response) as JsonValue : await response.text()
  const value = isJson && surface.contract === 'envelope' ? (body as JsonObject)['data'] ?? null : body
  const excerpt = excerptOf(value, one => !isJson || compileSchema(surface.output)(one).length === 0)
  if (excerpt === undefined) return undefined
  const text = JSON.stringify(excerpt).replaceAll(subject.registry.service.base_url, originMark)
  return isFollowed(text) ? undefined : [answerKey(example), JSON.parse(text) as JsonValue]
}

/** What the examples answer that OpenAPI shows. */
export async function recordAnswers (subject: Subject): Promise<RecordedAnswers> {
  const found: (readonly [string, JsonValue])[] = []
  for (const surface of subject.registry.surfaces) {
    for (const method of surface.route.methods) found.push(...[await answerTo(subject, surface, method)].filter(one => one !== undefined))
  }
  return Object.fromEntries(found)
}

/** One line for each answer, so that a change of one shows as one. */
export const answersText = (answers: RecordedAnswers): string =>
  `{\n${Object.entries(answers).sort(([a], [b]) => a < b ? -1 : 1).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')}\n}\n`
