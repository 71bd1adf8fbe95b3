import type { HandlerTable, SurfaceRequest } from '../../handler/handler.ts'
import type { SurfaceOf } from '../../manifest/surface.ts'
import { parseQuery } from '../query.ts'
import type { PlanRequest } from '../request.ts'
import type { Source } from '../result.ts'

/** The one kind that is given services. */
export function compileHandler<Services> (surface: SurfaceOf<'handler'>, given: { handlers: HandlerTable<Services>, services: Services }): Source<PlanRequest> {
  const handler = given.handlers.get(surface.answer.handler)
  if (handler === undefined) throw new Error(`There is no handler ${surface.answer.handler}.`)
  return {
    when: 'live',
    answer: async (input, request) => {
      const { method, path, headers, callerHash, now } = request
      const asked: SurfaceRequest = {
        method,
        path,
        headers,
        now,
        get callerHash () { return callerHash() },
        get rawQuery () {
          const parsed = parseQuery(request.search)
          return parsed.ok ? parsed.values : new Map<string, string[]>()
        },
        params: input.params,
        query: input.query,
        body: input.body
      }
      const { status = 200, data = null, ...rest } = await handler.handle(asked as SurfaceRequest<never, never, never>, given.services)
      return { status, data, ...rest }
    }
  }
}
