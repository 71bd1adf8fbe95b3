import { isObject, type JsonObject, type JsonValue } from '../../../core/canonical/json.ts'
import type { CallTable } from './runtime.ts'
import { memberText, typeText } from './type-text.ts'

/** An operation of the client: its HTTP call, and the types of its input and its result. */
export type ClientOperation = Readonly<{
  name: string
  summary: string
  call: CallTable[string]
  inputType: string
  needsInput: boolean
  answerType: string
}>

export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')
export const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter((one): one is JsonObject => isObject(one)) : []
const members = (value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] =>
  Object.entries(isObject(value) ? value : {})

/**
 * Returns the type of JSON content. Alternative forms after the first are returned only for a `format` parameter, which
 * the client does not send, so they are left out.
 */
function jsonType(schema: JsonValue | undefined): string {
  const [first, ...others] = isObject(schema) ? objects(schema.anyOf) : []
  return typeText(
    others.some(({ description }) => textOf(description).startsWith('The form `format=')) ? first : schema,
    '  '
  )
}

/** Returns the media type that the client requests, which is JSON if offered, with its TypeScript type. */
function contentOf(content: JsonValue | undefined): readonly (readonly [string, string])[] {
  const offered = members(content)
  const [mediaType, media] = offered.find(([type]) => type === 'application/json') ?? offered[0] ?? []
  if (mediaType === undefined || !isObject(media)) return []
  return [[mediaType, /[/+]json$/.test(mediaType) ? jsonType(media.schema) : 'string']]
}

function operationOf(method: string, path: string, found: JsonObject): ClientOperation {
  const parameters = objects(found.parameters).filter(
    one => one.in === 'path' || (one.in === 'query' && one.name !== 'format')
  )
  const named = (place: string): string[] =>
    parameters.flatMap(one => (one.in === place && typeof one.name === 'string' ? [one.name] : []))
  const inputs = parameters.map(one =>
    memberText(textOf(one.name), one.schema ?? {}, one.required === true, '    ', one.description)
  )
  const body = isObject(found.requestBody) ? found.requestBody : undefined
  const bodySchema = members(body?.content).flatMap(([type, media]) =>
    type === 'application/json' && isObject(media) ? [media.schema ?? {}] : []
  )[0]
  if (body !== undefined)
    inputs.push(memberText('body', bodySchema ?? {}, body.required === true, '    ', 'Sent as JSON.'))
  const answers = members(found.responses).flatMap(([status, response]) =>
    /^[23]/.test(status) && isObject(response) ? contentOf(response.content) : []
  )
  return {
    name: textOf(found.operationId),
    summary: textOf(found.summary),
    call: [method.toUpperCase(), path, named('path'), named('query'), answers[0]?.[0] ?? '*/*'],
    inputType: inputs.length === 0 ? 'Record<string, never>' : `{\n${inputs.join('')}  }`,
    needsInput: body?.required === true || parameters.some(one => one.required === true),
    answerType: [...new Set(answers.map(([, type]) => type))].join(' | ') || 'never'
  }
}

/** Returns all operations of an OpenAPI document, in document order. */
export const operationsIn = (document: JsonObject): readonly ClientOperation[] =>
  members(document.paths).flatMap(([path, item]) =>
    members(item).flatMap(([method, found]) => (isObject(found) ? [operationOf(method, path, found)] : []))
  )
