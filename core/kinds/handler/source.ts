import type { Caller } from '../../access/access.ts'
import type { JsonValue } from '../../canonical/json.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import type { Ask, Reply, SurfaceRequest } from '../../handler/handler.ts'
import type { SentFiles } from '../../handler/sent-file.ts'
import type { PathTo } from '../../manifest/paths.ts'
import type { Service } from '../../manifest/service.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { AskFrom, Given } from '../../plan/kind.ts'
import { parseQuery } from '../../plan/query.ts'
import type { PlanRequest } from '../../plan/request.ts'
import type { PlanInput, Result, ContentSource } from '../../plan/result.ts'
import { compileHandlerChoice } from './choice.ts'

export type HandlerAnswer = Readonly<{ handler: string }>

/** What every handler receives in addition to the request. */
type Around = Readonly<{ service: Service; corpora: Readonly<Record<string, Corpus>>; pathTo: PathTo; ask: AskFrom }>

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
  readonly corpora: Readonly<Record<string, Corpus>>
  readonly service: Service
  readonly pathTo: PathTo
  readonly #request: PlanRequest
  readonly #askFrom: AskFrom

  constructor(input: PlanInput, request: PlanRequest, { service, corpora, pathTo, ask }: Around) {
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
    this.#askFrom = ask
  }

  get ask(): Ask {
    return this.#askFrom(this.#request)
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

// The cast is safe: a reply has the type of its schema, and the schema describes JSON.
const resultOf = ({ status = 200, data = null, ...rest }: Reply): Result => ({
  status,
  data: data as JsonValue,
  ...rest
})

/** Compiles a surface whose code answers each request. */
export function compileHandler(
  surface: Surface<HandlerAnswer>,
  { handlers, service, ask }: Given<'handlers' | 'service' | 'ask'>
): ContentSource<PlanRequest> {
  const handler = handlers.get(surface.answer.handler)
  if (handler === undefined) throw new Error(`There is no handler ${surface.answer.handler}.`)
  const around: Around = { service, ask, corpora: handler.corpora, pathTo: handler.pathTo }
  const choose = compileHandlerChoice(handler.shape)
  return {
    when: 'live',
    version: handler.version,
    answer: (input, request) => {
      const cut = choose(input.query['fields'])
      const reply = handler.handle(new AskedRequest(input, request, around))
      return reply instanceof Promise ? reply.then(one => cut(resultOf(one))) : cut(resultOf(reply))
    }
  }
}
