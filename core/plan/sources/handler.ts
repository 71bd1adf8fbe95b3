import type { Ask, HandlerTable, Reply, SurfaceRequest } from '../../handler/handler.ts'
import type { Service } from '../../manifest/service.ts'
import type { SurfaceOf } from '../../manifest/surface.ts'
import { parseQuery } from '../query.ts'
import type { PlanRequest } from '../request.ts'
import type { PlanInput, Result, Source } from '../result.ts'

/** Gives a request the way to ask other surfaces. */
export type AskFrom = (request: PlanRequest) => Ask

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

/** The one kind that is given services. */
export function compileHandler<Services> (surface: SurfaceOf<'handler'>, given: { handlers: HandlerTable<Services>, services: Services, service: Service, ask: AskFrom }): Source<PlanRequest> {
  const handler = given.handlers.get(surface.answer.handler)
  if (handler === undefined) throw new Error(`There is no handler ${surface.answer.handler}.`)
  return {
    when: 'live',
    answer: (input, request) => {
      const reply = handler.handle(new AskedRequest(input, request, given.service, given.ask) as unknown as SurfaceRequest<never, never, never>, given.services)
      return reply instanceof Promise ? reply.then(resultOf) : resultOf(reply)
    }
  }
}
