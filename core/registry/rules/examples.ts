import { admitsEveryone } from '../../access/index.ts'
import type { JsonSchema } from '../../canonical/json.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import type { Format } from '../../format/index.ts'
import { needsNothing } from '../../manifest/normalise.ts'
import type { Surface } from '../../manifest/surface.ts'
import { compileSchema } from '../../schema/compile.ts'
import { propertiesOf, requiredOf, typedText } from '../../schema/json-schema.ts'
import { report } from '../../source/report.ts'
import type { DraftSurface, SurfaceRule } from '../draft.ts'

/** M417: a surface that cannot be tried without knowing a value shows one that works. A form is tried on its page. */
export const examplePresent: SurfaceRule = surfaces =>
  surfaces.flatMap(({ surface, file }) =>
    surface.formOf !== undefined || surface.examples.length > 0 || needsNothing(surface.route, surface.input)
      ? []
      : [
          report(file.source, 'M417', ['path'], 'The surface has no example.', {
            hint:
              surface.input.body === undefined
                ? 'Add `examples:` with a value for each parameter.'
                : 'Add `examples:` with a body that is accepted.'
          })
        ]
  )

const parts = ['params', 'query'] as const

function checkExample({ surface, file }: DraftSurface, index: number): Diagnostic[] {
  const example = surface.examples[index]
  if (example === undefined) return []
  const found: Diagnostic[] = []
  const at = (...tokens: (string | number)[]): (string | number)[] => ['examples', index, ...tokens]
  // An example of an error has a bad value on purpose; its parameter names must still exist.
  const isRefusal = example.expect.status >= 400 && surface.status !== example.expect.status
  for (const part of parts) {
    const schema = surface.input[part]
    const declared = propertiesOf(schema)
    for (const name of Object.keys(example[part]).filter(name => !(name in declared))) {
      const noun = part === 'params' ? 'placeholder' : 'query parameter'
      found.push(
        report(file.source, 'M414', at(part, name), `The surface has no ${noun} \`${name}\`.`, {
          on: 'key',
          hint: suggestion(name, Object.keys(declared))
        })
      )
    }
    for (const name of requiredOf(schema)) {
      if (!(name in example[part]) && (part === 'params' || !isRefusal))
        found.push(
          report(file.source, 'M415', at(), `The example gives no \`${name}\`.`, { hint: `Add it under \`${part}\`.` })
        )
    }
    const given = Object.entries(example[part]).filter(([name]) => name in declared)
    if (isRefusal || given.length === 0) continue
    const issues = compileSchema(schema)(
      Object.fromEntries(given.map(([name, value]) => [name, typedText(declared[name] ?? {}, value)]))
    )
    found.push(
      ...issues
        .filter(issue => issue.rule !== 'missing')
        .map(issue => report(file.source, 'M415', at(part, ...issue.pointer), issue.message))
    )
  }
  return [...found, ...checkBody({ surface, file }, index, isRefusal)]
}

function checkBody({ surface, file }: DraftSurface, index: number, isRefusal: boolean): Diagnostic[] {
  const body = surface.examples[index]?.body
  if (surface.input.bytes !== undefined) return []
  const declared = surface.input.body
  if (declared === undefined)
    return body === undefined
      ? []
      : [
          report(file.source, 'M414', ['examples', index, 'body'], 'The surface reads no body.', {
            on: 'key',
            hint: 'Remove the body.'
          })
        ]
  if (isRefusal) return []
  if (body === undefined)
    return surface.examples[index]?.method !== 'GET'
      ? [report(file.source, 'M415', ['examples', index], 'The example gives no body.', { hint: 'Add `body:`.' })]
      : []
  return compileSchema(declared.schema)(body).map(issue =>
    report(file.source, 'M415', ['examples', index, 'body', ...issue.pointer], issue.message, { on: issue.on })
  )
}

/** M414, M415: the request of an example must match the input that the surface declares. */
export const exampleRequests: SurfaceRule = surfaces =>
  surfaces.flatMap(one =>
    one.file.manifest.examples === undefined ? [] : one.surface.examples.flatMap((_, index) => checkExample(one, index))
  )

/** Formats whose body has no JSON members. For other formats than these and `json`, any member may be expected. */
const textFormats: readonly string[] = ['md', 'txt', 'atom', 'ndjson', 'svg', 'html'] satisfies Format[]

/** Returns the statuses that a surface can answer with; `undefined` where code decides. */
function statusesOf({ surface, file }: DraftSurface): number[] | undefined {
  if (file.kind.code !== undefined) return undefined
  const { access, input, route, status } = surface
  return [
    status,
    304,
    ...(admitsEveryone(access) ? [] : [401, 403]),
    ...(Object.keys(propertiesOf(input.query)).length > 0 ? [400] : []),
    ...(route.placeholders.length > 0 ? [400, 404] : []),
    ...(input.body === undefined ? [] : [400, 413, 415])
  ]
}

type Impossible = Readonly<{ token: string; known: readonly string[] }>

/**
 * Returns the first token of a JSON pointer that the schema rules out, or `undefined` if the schema allows the pointer.
 */
function impossible(schema: JsonSchema, tokens: readonly string[]): Impossible | undefined {
  const [token, ...rest] = tokens
  if (token === undefined) return undefined
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined
  if (properties !== undefined && token in properties) return impossible(properties[token] ?? {}, rest)
  if (properties !== undefined && schema['additionalProperties'] === false)
    return { token, known: Object.keys(properties) }
  return /^\d+$/.test(token) && schema['type'] === 'array'
    ? impossible((schema['items'] as JsonSchema | undefined) ?? {}, rest)
    : undefined
}

/**
 * Returns the schema of the JSON body for a status, as far as it is declared. An error under the `envelope` contract
 * has `error`; other errors have no declared schema.
 */
function bodySchema({ contract, output }: Surface, status: number): JsonSchema {
  const open = {}
  const envelope = { data: status < 400 ? output : open, ...(status < 400 ? {} : { error: open }), _meta: open }
  if (contract === 'envelope') return { type: 'object', properties: envelope, additionalProperties: false }
  return status < 400 ? output : open
}

/** M416: an example may expect only a status and members that the surface can answer with. */
export const exampleExpectations: SurfaceRule = surfaces =>
  surfaces.flatMap((one): Diagnostic[] => {
    const { surface, file } = one
    const statuses = statusesOf(one)
    return surface.examples.flatMap(({ expect, query }, index) => {
      const at = ['examples', index, 'expect']
      const status =
        statuses === undefined || statuses.includes(expect.status)
          ? []
          : [
              report(file.source, 'M416', [...at, 'status'], `This surface does not answer with ${expect.status}.`, {
                hint: `It can answer with ${[...new Set(statuses)].sort((a, b) => a - b).join(', ')}.`
              })
            ]
      const format = query['format'] ?? surface.formats[0] ?? 'json'
      // An error is JSON, whichever format the client asked for.
      const isText = expect.status < 400 && textFormats.includes(format)
      const schema = format === 'json' || expect.status >= 400 ? bodySchema(surface, expect.status) : {}
      const shows = Object.keys(expect.shows).flatMap(pointer => {
        const show = [...at, 'shows', pointer]
        if (isText)
          return [
            report(file.source, 'M416', show, 'Only a JSON answer has members to point at.', {
              on: 'key',
              hint: 'Expect the status alone.'
            })
          ]
        if (!/^(\/([^~]|~[01])*)?$/.test(pointer))
          return [
            report(file.source, 'M416', show, `\`${pointer}\` is not a JSON pointer.`, {
              on: 'key',
              hint: 'A pointer starts with `/`.'
            })
          ]
        const tokens = pointer
          .split('/')
          .slice(1)
          .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
        const missing = impossible(schema, tokens)
        return missing === undefined
          ? []
          : [
              report(file.source, 'M416', show, `The answer has no member \`${missing.token}\` there.`, {
                on: 'key',
                hint: suggestion(missing.token, missing.known)
              })
            ]
      })
      return [...status, ...shows]
    })
  })
