import { dirname, join, relative } from 'node:path'
import type { Caller } from '../access/access.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { changeMirror } from '../contract/math-mirror.ts'
import { contents } from '../format/format.ts'
import { takesBody } from '../discovery/parameters.ts'
import type { Ask, Reply, SentFiles, SurfaceRequest } from '../handler/handler.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Code, Context, ManifestFile } from '../manifest/kind.ts'
import { AnyMethods, type ManifestWith } from '../manifest/manifest.ts'
import { methodsOf, parametersSchema } from '../manifest/normalise.ts'
import { placeholdersOf } from '../manifest/paths.ts'
import type { Surface } from '../manifest/surface.ts'
import { parseQuery } from '../plan/dispatch.ts'
import type { BoundHandler, ContentSource, KindDependencies, PlanInput, Result } from '../plan/kind.ts'
import { compileOnce } from '../plan/idempotency.ts'
import { compilePrecondition } from '../plan/precondition.ts'
import { andThen, type PlanRequest } from '../plan/request.ts'
import { openDefinitions } from '../schema/definitions.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { report } from '../source/report.ts'
import { contracts } from '../vocabulary/words.ts'
import { checkForm, codeOf, codeReference, resultOf } from './code.ts'
import { defineKind } from './kind.ts'
import { codeFile, defaultPath, methodOf, paramsExample, paramsLine } from './scaffold.ts'
import { fieldsetOf, fieldsetParameter, fieldsetSchema, compileFieldset } from './shown-entries.ts'

type Shape = BoundHandler['shape']

const documentsOf = (reply: JsonSchema): readonly JsonSchema[] =>
  (reply['anyOf'] as JsonSchema[] | undefined) ?? [reply]

/**
 * Describes the entries of a reply, in the list `in` or the reply itself, as those of a corpus: their schema and key.
 */
function entriesOf({ in: list, key }: NonNullable<Shape['entries']>, reply: JsonSchema) {
  const [schema = {}] = documentsOf(reply).flatMap(one =>
    list === undefined ? [one] : [(propertiesOf(one)[list]?.['items'] as JsonSchema | undefined) ?? []].flat()
  )
  return { schema, key, keep: [], roles: {} }
}

/**
 * Adds the query parameter `fields` to the code, and makes the members of its entries optional in the reply schema,
 * except those that are always shown.
 */
function withFieldset(code: Code): Code {
  if (code.entries === undefined) return code
  const { query = parametersSchema({}), reply } = code
  const entries = entriesOf(code.entries, reply)
  const list = code.entries.in
  const choice = fieldsetOf(entries)
  // A reduced entry needs no `title`: documents that share schemas by title would mistake it for the complete entry.
  const part: Record<string, unknown> = { ...fieldsetSchema(entries.schema, choice) }
  delete part['title']
  const documents = documentsOf(reply).map(document => {
    const properties = propertiesOf(document)
    if (list === undefined) return part
    return list in properties
      ? { ...document, properties: { ...properties, [list]: { ...properties[list], items: part } } }
      : document
  })
  return {
    ...code,
    query: parametersSchema({ ...propertiesOf(query), fields: fieldsetParameter(choice) }, requiredOf(query)),
    reply: reply['anyOf'] === undefined ? (documents[0] ?? reply) : { ...reply, anyOf: documents }
  }
}

/**
 * Returns a function that reads `fields`, and throws INVALID_INPUT for an unknown member; its result cuts an answer
 * with status 200 to the selected members.
 */
export function compileHandlerFieldset({ entries, reply }: Shape): (asked: unknown) => (result: Result) => Result {
  if (entries === undefined) return () => result => result
  const choose = compileFieldset(entriesOf(entries, openDefinitions(reply)))
  return asked => {
    const { show } = choose(asked)
    const inDocument = (document: JsonObject): JsonObject => {
      if (entries.in === undefined) return show(document)
      const items = document[entries.in]
      return Array.isArray(items)
        ? { ...document, [entries.in]: items.map((item: JsonValue) => (isObject(item) ? show(item) : item)) }
        : document
    }
    return result => {
      if (typeof asked !== 'string' || result.status !== 200) return result
      if (result.mirror !== undefined) return { ...result, mirror: changeMirror(result.mirror, inDocument) }
      return isObject(result.data) ? { ...result, data: inDocument(result.data) } : result
    }
  }
}

type HandlerAnswer = Readonly<{ handler: string }>

type Around = KindDependencies<'service' | 'ask'> & Pick<BoundHandler, 'corpora' | 'pathTo'>

const noFiles: SentFiles = {}

/** A request as a handler sees it. Values that few handlers need are computed on access. */
class AskedRequest implements SurfaceRequest {
  readonly method: string
  readonly path: string
  readonly headers: PlanRequest['headers']
  readonly now: Date
  readonly params: PlanInput['params']
  readonly query: PlanInput['query']
  readonly body: PlanInput['body']
  readonly bytes: PlanInput['bytes']
  readonly files: SentFiles
  readonly corpora: Around['corpora']
  readonly service: Around['service']
  readonly pathTo: Around['pathTo']
  readonly #request: PlanRequest
  readonly requireMatch: SurfaceRequest['requireMatch']
  readonly #askFrom: Around['ask']

  constructor(
    input: PlanInput,
    request: PlanRequest,
    { service, corpora, pathTo, ask }: Around,
    requireMatch: SurfaceRequest['requireMatch']
  ) {
    // A HEAD request is answered like GET, without the content (RFC 9110 §9.3.2), so handlers see GET for both.
    this.method = request.method === 'HEAD' ? 'GET' : request.method
    this.path = request.path
    this.headers = request.headers
    this.now = request.now
    this.params = input.params
    this.query = input.query
    this.body = input.body
    this.bytes = input.bytes
    this.files = input.files ?? noFiles
    this.corpora = corpora
    this.service = service
    this.pathTo = pathTo
    this.#request = request
    this.requireMatch = requireMatch
    this.#askFrom = ask
  }

  get ask(): Ask {
    return this.#askFrom(this.#request)
  }

  get signal(): AbortSignal {
    return this.#request.waiting.signal
  }

  get caller(): Caller {
    return this.#request.caller
  }

  get callerHash(): string {
    return this.#request.callerHash()
  }

  get rawQuery(): ReadonlyMap<string, readonly string[]> {
    const parsed = parseQuery(this.#request.search)
    return parsed.ok ? parsed.values : new Map<string, string[]>()
  }
}

export function compileHandler(
  surface: Surface<HandlerAnswer>,
  { handlers, service, ask }: KindDependencies<'handlers' | 'service' | 'ask'>
): ContentSource<PlanRequest> {
  const handler = handlers.get(surface.answer.handler)
  if (handler === undefined) throw new Error(`There is no handler ${surface.answer.handler}.`)
  const around = { service, ask, corpora: handler.corpora, pathTo: handler.pathTo }
  const choose = compileHandlerFieldset(handler.shape)
  const once = compileOnce(surface, handler.once)
  const preconditionOf = compilePrecondition(surface)
  return {
    when: 'live',
    version: handler.version,
    answer: (input, request) => {
      const cut = choose(input.query['fields'])
      const { requireMatch, requireUse } = preconditionOf(request)
      const toResult = (reply: Reply): Result => {
        requireUse()
        return cut(resultOf(reply, input.query))
      }
      return once(input, request, () =>
        andThen(handler.handle(new AskedRequest(input, request, around, requireMatch)), toResult)
      )
    }
  }
}

/** Tells whether a new handler takes a body, by the method that its id ends in. */
const hasBodyIn = (id: string): boolean => takesBody(methodOf(id) ?? 'GET')

const bodyLines = `  // What is not declared is refused before this code runs.
  body: {
    schema: Type.Object({ message: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
    limitBytes: 4096
  },
`

/** Returns the code of a new handler. A root without its own `defineHandler` uses the one without services. */
function example(id: string, path: string, definer: string | undefined): string {
  const [first] = placeholdersOf(path)
  const hasBody = hasBodyIn(id)
  const given = [...(first === undefined ? [] : ['params']), ...(hasBody ? ['body'] : [])]
  const word = hasBody ? `\${body.message}` : 'hello'
  const message = first === undefined ? (hasBody ? 'body.message' : "'hello'") : `\`${word} \${params.${first}}\``
  const toDefiner = relative(dirname(join('surfaces', 'handlers', id)), definer ?? '')
  const imports =
    definer === undefined
      ? "import { defineHandler, reply, Type } from 'pantry/handler'"
      : `import { reply, Type } from 'pantry/handler'
import { defineHandler } from '${toDefiner.startsWith('.') ? '' : './'}${toDefiner}'`
  return `${imports}

export default defineHandler({
${paramsLine(path)}${hasBody ? bodyLines : ''}  // The schema of what \`reply\` gives is published: it says all of it.
  reply: Type.Object({ message: Type.String() }, { additionalProperties: false }),
  handle: ${given.length === 0 ? '()' : `({ ${given.join(', ')} })`} => reply({ message: ${message} })
})
`
}

const fields = { method: Type.Optional(AnyMethods) }

/** H112: an idempotency key and a precondition are for requests that write. */
function checkWrites({ id, source, manifest }: ManifestFile, { handlers }: Context): Diagnostic[] {
  if (methodsOf(manifest).some(method => method !== 'GET')) return []
  const code = handlers.get(id)
  return (['idempotency', 'precondition'] as const).flatMap(name => {
    if (code?.[name] === undefined) return []
    const message = `The code of \`${id}\` has \`${name}\`, but the surface only answers GET.`
    const hint = `Leave \`${name}\` out, because GET changes nothing. Or write \`method: POST\`.`
    return [report(source, 'H112', manifest.method === undefined ? ['path'] : ['method'], message, { hint })]
  })
}

/** The kind `handler` is the only one whose code receives services. */
export const handler = defineKind<ManifestWith<typeof fields>, HandlerAnswer, 'handlers' | 'service' | 'ask'>({
  name: 'handler',
  meaning: 'Code answers: `surfaces/handlers/<id>.ts`.',
  reaches: ['handlers', 'service', 'ask'],
  fields,
  holds: contents,
  contracts,
  checkFit: (file, context) => [...checkForm(file, context, 'handle'), ...checkWrites(file, context)],
  refersTo: codeReference,
  code: (file, context) => {
    const code = codeOf(file, context)
    return code === undefined ? undefined : withFieldset(code)
  },
  answer: ({ id }) => ({ handler: id }),
  facts: ({ handler }) => ({ code: handler }),
  compile: compileHandler,
  scaffold: ({ id, path = defaultPath(id) }, place) => ({
    path,
    provenance: 'computed',
    fields: {},
    ...(hasBodyIn(id)
      ? { examples: [{ title: 'An example', ...paramsExample(path).examples?.[0], body: { message: 'hello' } }] }
      : paramsExample(path)),
    files: codeFile(id, place, 'ts', () => example(id, path, place.definer))
  })
})
