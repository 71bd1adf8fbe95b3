import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from '../../core/canonical/json.ts'
import { codeFolder } from '../project.ts'
import type { CallTable } from './runtime.ts'

/** `engines` and `license` apply to the client, not to the data that the service returns. */
export type ClientPackage = Readonly<{
  name: string
  version: string
  license: string
  engines: Readonly<Record<string, string>>
}>

/** The client runtime as JavaScript, a file beside the running code. */
const runtime = (): string => readFileSync(join(codeFolder, 'bin', 'client', 'runtime.js'), 'utf8')

const signature = ({ name, summary, inputType, needsInput, answerType }: ClientOperation): string =>
  `${comment(summary, '  ')}  ${nameText(name)} (input${needsInput ? '' : '?'}: ${inputType}, init?: Init): Promise<${answerType}>\n`

const declarations = (
  schemas: JsonObject,
  operations: readonly ClientOperation[],
  baseUrl: string
): string => `/** What the contract names: \`Schemas['Error']\` is the type of an error. */
export interface Schemas {
${Object.entries(schemas)
  .map(([name, schema]) => memberText(name, schema, true, '  '))
  .join('')}}

/** \`fetch\` as the project knows it: of \`lib.dom\`, of \`@types/node\`, or of neither. */
type Fetch = typeof globalThis extends { fetch: infer Known extends (...given: never) => unknown } ? Known : (url: string, init: Record<string, unknown>) => Promise<unknown>

/** What \`fetch\` is given beside the request, such as \`signal\`. */
export type Init = Omit<NonNullable<Parameters<Fetch>[1]>, 'method' | 'body' | 'headers'> & { headers?: Record<string, string> }

/** Each function resolves to the body of the answer, and rejects with a ServiceError where the service refuses. */
export interface Client {
${operations.map(signature).join('')}}

/** A refusal of the service. \`status\` is that of HTTP, and \`body\` what it sent: JSON with an \`error\`, or text. */
export declare class ServiceError extends Error {
  readonly status: number
  /** The permanent code of the error, such as \`NOT_FOUND\`; undefined where the body has none. */
  readonly code: string | undefined
  readonly body: unknown
  constructor (status: number, body: unknown)
}

/** Asks ${baseUrl} where \`baseUrl\` names no other origin. \`headers\` go with every request. */
export declare function createClient (options?: { baseUrl?: string, headers?: Record<string, string>, fetch?: Fetch }): Client
`

const readme = (name: string, title: string, example: string): string => `# ${name}

A typed client of ${title}, made from its OpenAPI document. It has a function for each operation, asks with \`fetch\`, and depends on no other package.

    import { createClient, ServiceError } from '${name}'
    const client = createClient()
    const answer = await client.${example}()
`

/** Generates the files of a client package from an OpenAPI 3.1 document alone. */
export function clientFiles(document: JsonObject, about: ClientPackage): Readonly<Record<string, string>> {
  const operations = operationsIn(document)
  const { info, servers, components } = document
  const title = isObject(info) ? textOf(info.title) : about.name
  const [server] = objects(servers).map(({ url }) => textOf(url))
  const schemas = isObject(components) && isObject(components.schemas) ? components.schemas : {}
  const table = operations.map(({ name, call }) => `  ${nameText(name)}: ${JSON.stringify(call)}`).join(',\n')
  const packageFile = {
    ...about,
    description: `A typed client of ${title}.`,
    type: 'module',
    types: './index.d.ts',
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    files: ['index.js', 'index.d.ts', 'runtime.js']
  }
  return {
    'package.json': `${JSON.stringify(packageFile, null, 2)}\n`,
    'README.md': readme(
      about.name,
      title,
      (operations.find(({ call: [, path] }) => path === '/api/v1') ?? operations.find(one => !one.needsInput))?.name ??
        'get_root'
    ),
    'runtime.js': runtime(),
    'index.js': `import { clientOf, ServiceError } from './runtime.js'\n\nconst table = {\n${table}\n}\n\nexport { ServiceError }\nexport const createClient = options => clientOf(table, { baseUrl: ${JSON.stringify(server)}, ...options })\n`,
    'index.d.ts': declarations(schemas, operations, server ?? '')
  }
}

type ClientOperation = Readonly<{
  name: string
  summary: string
  call: CallTable[string]
  inputType: string
  needsInput: boolean
  answerType: string
}>

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')
const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter((one): one is JsonObject => isObject(one)) : []
const members = (value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] =>
  Object.entries(isObject(value) ? value : {})

/**
 * Returns the type of a JSON answer. Alternative forms after the first need a `format` parameter, which the client does
 * not send.
 */
function jsonType(schema: JsonValue | undefined): string {
  const [first, ...others] = isObject(schema) ? objects(schema.anyOf) : []
  return typeText(
    others.some(({ description }) => textOf(description).startsWith('The form `format=')) ? first : schema,
    '  '
  )
}

/** Returns the media type that the client requests, JSON if offered, with its TypeScript type. */
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
    answerType: union(answers.map(([, type]) => type)) || 'never'
  }
}

const operationsIn = (document: JsonObject): readonly ClientOperation[] =>
  members(document.paths).flatMap(([path, item]) =>
    members(item).flatMap(([method, found]) => (isObject(found) ? [operationOf(method, path, found)] : []))
  )

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)

/** Quotes a property name unless it is an identifier. */
const nameText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const comment = (text: JsonValue | undefined, indent: string): string =>
  typeof text === 'string' && text !== ''
    ? `${indent}/** ${text
        .trim()
        .replaceAll('*/', '*\\/')
        .replaceAll(/\s*\n\s*/g, ' ')} */\n`
    : ''

const inBrackets = (text: string): string => (/[|&]/.test(text) ? `(${text})` : text)
const union = (texts: readonly string[]): string => [...new Set(texts)].join(' | ')

/** One member of an object type, after its description. */
const memberText = (
  name: string,
  schema: JsonValue,
  isNeeded: boolean,
  indent: string,
  description = isObject(schema) ? schema.description : undefined
): string =>
  `${comment(description, indent)}${indent}${nameText(name)}${isNeeded ? '' : '?'}: ${typeText(schema, indent)}\n`

function objectText({ properties, required, additionalProperties }: JsonObject, indent: string): string {
  const needed = isList(required) ? required : []
  const fields = members(properties)
  if (fields.length > 0)
    return `{\n${fields.map(([name, schema]) => memberText(name, schema, needed.includes(name), `${indent}  `)).join('')}${indent}}`
  return `Record<string, ${additionalProperties === false ? 'never' : typeText(additionalProperties, indent)}>`
}

const scalars = ['string', 'number', 'boolean', 'null']

function namedType(type: JsonValue, schema: JsonObject, indent: string): string {
  if (type === 'array') return `${inBrackets(typeText(schema.items, indent))}[]`
  if (type === 'object') return objectText(schema, indent)
  return type === 'integer' ? 'number' : (scalars.find(name => name === type) ?? 'unknown')
}

/**
 * Returns the TypeScript type of a schema of OpenAPI 3.1 (JSON Schema 2020-12), without constraints that a type cannot
 * express, such as a pattern.
 */
function typeText(schema: JsonValue | undefined, indent = ''): string {
  if (!isObject(schema)) return 'unknown'
  const { $ref: reference, const: fixed, enum: words, allOf, anyOf, oneOf, type } = schema
  if (typeof reference === 'string') return `Schemas[${JSON.stringify(reference.split('/').at(-1))}]`
  if (fixed !== undefined) return JSON.stringify(fixed)
  if (isList(words)) return union(words.map(word => JSON.stringify(word)))
  if (isList(allOf)) return [...new Set(allOf.map(part => inBrackets(typeText(part, indent))))].join(' & ')
  if (isList(type)) return union(type.map(name => namedType(name, schema, indent)))
  const forms = anyOf ?? oneOf
  return type === undefined && isList(forms)
    ? union(forms.map(form => typeText(form, indent)))
    : namedType(type ?? null, schema, indent)
}
