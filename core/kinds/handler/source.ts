import type { Ask, Reply, SurfaceRequest } from '../../handler/handler.ts'
import type { Service } from '../../manifest/service.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { AskFrom, Given } from '../../plan/kind.ts'
import { parseQuery } from '../../plan/query.ts'
import type { PlanRequest } from '../../plan/request.ts'
import type { PlanInput, Result, Source } from '../../plan/result.ts'

export type HandlerAnswer = Readonly<{ handler: string }>

/** A request as a handler sees it; what few handlers ask for is made when it is asked for. */
class AskedRequest implements SurfaceRequest {
  readonly method: string
  readonly path: string
  readonly headers: PlanRequest['headers']
  readonly now: Date
  readonly params: PlanInput['params']
  readonly query: PlanInput['query']
  readonly body: PlanInput['body']
  readonly service: Service
  readonly #request: PlanRequest
  readonly #askFrom: AskFrom

  constructor (input: PlanInput, request: PlanRequest, service: Service, askFrom: AskFrom) {
    // HEAD is answered as GET, without the content (RFC 9110 §9.3.2): a handler cannot make them differ.
    this.method = request.method === 'HEAD' ? 'GET' : request.method
    this.path = request.path
    this.headers = request.headers
    this.now = request.now
    this.params = input.params
    this.query = input.query
    this.body = input.body
    this.service = service
    this.#request = request
    this.#askFrom = askFrom
  }

  get ask (): Ask { return this.#askFrom(this.#request) }

  get callerHash (): string { return this.#request.callerHash() }

  get rawQuery (): ReadonlyMap<string, readonly string[]> {
    const parsed = parseQuery(this.#request.search)
    return parsed.ok ? parsed.values : new Map<string, string[]>()
  }
}

const resultOf = ({ status = 200, data = null, ...rest }: Reply): Result => ({ status, data, ...rest })

/** Code answers each request. */
export function compileHandler (surface: Surface<HandlerAnswer>, { handlers, service, ask }: Given<'handlers' | 'service' | 'ask'>): Source<PlanRequest> {
  const handle = handlers.get(surface.answer.handler)
  if (handle === undefined) throw new Error(`There is no handler ${surface.answer.handler}.`)
  return {
    when: 'live',
    answer: (input, request) => {
      const reply = handle(new AskedRequest(input, request, service, ask))
      return reply instanceof Promise ? reply.then(resultOf) : resultOf(reply)
    }
  }
}
