import { accessTable, admitsEveryone, isOpen, keyHeader } from '../../access/index.ts'
import type { JsonSchema } from '../../canonical/json.ts'
import { quotedList, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestionHint } from '../../diagnostics/suggest.ts'
import type { Format } from '../../format/index.ts'
import { isCallableWithoutInput } from '../../manifest/normalise.ts'
import type { Example, Surface } from '../../manifest/surface.ts'
import { compileSchema } from '../../schema/compile.ts'
import { propertiesOf, requiredOf, coerceText } from '../../schema/json-schema.ts'
import { report, type Pointer } from '../../source/report.ts'
import { checkName, type DraftSurface, type SurfaceRule } from '../draft.ts'

/**
 * M417: a surface that can be called only with some value must have an example. A form needs none, because it is tried
 * on its page.
 */
export const examplePresent: SurfaceRule = function* (surfaces) {
  for (const { surface, file } of surfaces)
    if (
      surface.formOf === undefined &&
      surface.examples.length === 0 &&
      !isCallableWithoutInput(surface.route, surface.input)
    )
      yield report(file.source, 'M417', ['path'], 'The surface has no example.', {
        hint: `Add \`examples:\` with a ${surface.input.body === undefined ? 'value for each parameter' : 'body that is accepted'}.`
      })
}

/**
 * Whether an example shows a refusal: it expects an error that is not the usual answer of the surface. Its values need
 * not be valid then, but its parameters must be declared.
 */
const isRefusal = (surface: Surface, { expect: { status } }: Example): boolean =>
  status >= 400 && surface.status !== status

function* checkParameters(
  { surface, file: { source } }: DraftSurface,
  example: Example,
  at: Pointer,
  part: 'params' | 'query'
): Generator<Diagnostic> {
  const schema = surface.input[part]
  const declared = propertiesOf(schema)
  const given = Object.entries(example[part])
  for (const [name] of given) {
    if (name in declared) continue
    const noun = part === 'params' ? 'placeholder' : 'query parameter'
    yield report(source, 'M414', [...at, part, name], `The surface has no ${noun} \`${name}\`.`, {
      on: 'key',
      hint: suggestionHint(name, Object.keys(declared))
    })
  }
  for (const name of requiredOf(schema))
    if (!(name in example[part]) && (part === 'params' || !isRefusal(surface, example)))
      yield report(source, 'M415', at, `The example gives no \`${name}\`.`, { hint: `Add it under \`${part}\`.` })
  const known = given.filter(([name]) => name in declared)
  if (isRefusal(surface, example) || known.length === 0) return
  const values = known.map(([name, value]) => [name, coerceText(declared[name] ?? {}, value)])
  for (const issue of compileSchema(schema)(Object.fromEntries(values)))
    if (issue.rule !== 'missing') yield report(source, 'M415', [...at, part, ...issue.pointer], issue.message)
}

function* checkBody({ surface, file: { source } }: DraftSurface, example: Example, at: Pointer): Generator<Diagnostic> {
  const { body } = example
  const declared = surface.input.body
  if (surface.input.bytes !== undefined) return
  if (declared === undefined) {
    if (body !== undefined)
      yield report(source, 'M414', [...at, 'body'], 'The surface reads no body.', {
        on: 'key',
        hint: 'Remove the body.'
      })
  } else if (isRefusal(surface, example)) return
  else if (body !== undefined) {
    for (const { pointer, message, on } of compileSchema(declared.schema)(body))
      yield report(source, 'M415', [...at, 'body', ...pointer], message, { on })
  } else if (example.method !== 'GET')
    yield report(source, 'M415', at, 'The example gives no body.', { hint: 'Add `body:`.' })
}

/**
 * M414, M415: the request of a declared example must match the input of the surface. Bodies of surfaces that read
 * `bytes` are not checked.
 */
export const exampleRequests: SurfaceRule = function* (surfaces) {
  for (const draft of surfaces) {
    if (draft.file.manifest.examples === undefined) continue
    for (const [index, example] of draft.surface.examples.entries()) {
      const at = ['examples', index]
      yield* checkParameters(draft, example, at, 'params')
      yield* checkParameters(draft, example, at, 'query')
      yield* checkBody(draft, example, at)
    }
  }
}

/** M427, M415: an example may say which access kind asks, if keys are of that kind and the surface reads who asks. */
export const exampleCallers: SurfaceRule = function* (surfaces, { service }) {
  const kinds = accessTable(service.access)
  const withKeys = Object.keys(kinds).filter(name => keyHeader(kinds[name] ?? { meaning: '' }, '') !== undefined)
  for (const { surface, file } of surfaces)
    for (const [index, { as }] of (file.manifest.examples ?? []).entries()) {
      if (as === undefined) continue
      const [kind = '', scope] = as.split('/')
      const at = ['examples', index, 'as']
      if (scope !== undefined)
        yield* checkName(file.source, 'M427', at, 'scope', scope, new Set(Object.keys(service.scopes)))
      if (!Object.hasOwn(kinds, kind))
        yield* checkName(file.source, 'M427', at, 'access kind', kind, new Set(Object.keys(kinds)))
      else if (!withKeys.includes(kind))
        yield report(file.source, 'M415', at, `No key makes a caller \`${kind}\`, and the tests have only keys.`, {
          hint: `It may be: ${quotedList(withKeys)}. Without \`as\` nobody in particular asks.`
        })
      else if (isOpen(surface.access))
        yield report(file.source, 'M415', at, 'The surface is for everyone, and does not read who asks.', {
          hint: 'Remove `as`.'
        })
    }
}

/**
 * Formats whose body has no JSON members to expect. In formats other than these and `json`, any member may be expected.
 */
const textFormats: readonly string[] = ['md', 'txt', 'atom', 'ndjson', 'svg', 'html'] satisfies Format[]

/** Returns the statuses that a surface can answer with; `undefined` if code answers. */
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

/** Returns the first token of a JSON pointer that the schema rules out, and the names that it allows there. */
function impossible(
  schema: JsonSchema,
  [token, ...rest]: readonly string[]
): Readonly<{ token: string; known: readonly string[] }> | undefined {
  if (token === undefined) return undefined
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined
  if (properties !== undefined && Object.hasOwn(properties, token)) return impossible(properties[token] ?? {}, rest)
  if (properties !== undefined && schema['additionalProperties'] === false)
    return { token, known: Object.keys(properties) }
  return /^\d+$/.test(token) && schema['type'] === 'array'
    ? impossible((schema['items'] as JsonSchema | undefined) ?? {}, rest)
    : undefined
}

/** Returns the schema of the JSON body of an answer with a status. A part without a schema may be anything. */
function bodySchema({ contract, output }: Surface, status: number): JsonSchema {
  const isError = status >= 400
  if (contract !== 'envelope') return isError ? {} : output
  const properties = { data: isError ? {} : output, ...(isError ? { error: {} } : {}), _meta: {} }
  return { type: 'object', properties, additionalProperties: false }
}

/** Returns why an example cannot expect a member of the answer, and the hint; `undefined` if it can. */
function memberProblem(
  surface: Surface,
  { expect: { status }, query }: Example,
  pointer: string
): readonly [message: string, hint: string | undefined] | undefined {
  const format = query['format'] ?? surface.formats[0] ?? 'json'
  // An error is JSON, whichever format the client asked for.
  if (status < 400 && textFormats.includes(format))
    return ['Only a JSON answer has members to point at.', 'Expect the status alone.']
  if (!/^(\/([^~]|~[01])*)?$/.test(pointer))
    return [`\`${pointer}\` is not a JSON pointer.`, 'A pointer starts with `/`.']
  const tokens = pointer.split('/').slice(1)
  const missing = impossible(
    format === 'json' || status >= 400 ? bodySchema(surface, status) : {},
    tokens.map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  )
  return missing === undefined
    ? undefined
    : [`The answer has no member \`${missing.token}\` there.`, suggestionHint(missing.token, missing.known)]
}

/** M416: an example may expect only a status and members that the surface can answer with. */
export const exampleExpectations: SurfaceRule = function* (surfaces) {
  for (const draft of surfaces) {
    const { surface, file } = draft
    const statuses = statusesOf(draft)
    for (const [index, example] of surface.examples.entries()) {
      const at = ['examples', index, 'expect']
      const { status, shows } = example.expect
      if (statuses?.includes(status) === false)
        yield report(file.source, 'M416', [...at, 'status'], `This surface does not answer with ${status}.`, {
          hint: `It can answer with ${[...new Set(statuses)].sort((a, b) => a - b).join(', ')}.`
        })
      for (const pointer of Object.keys(shows)) {
        const problem = memberProblem(surface, example, pointer)
        if (problem !== undefined)
          yield report(file.source, 'M416', [...at, 'shows', pointer], problem[0], { on: 'key', hint: problem[1] })
      }
    }
  }
}
