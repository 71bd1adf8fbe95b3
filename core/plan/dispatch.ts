import type { Surface } from '../manifest/surface.ts'
import { SurfaceError } from '../handler/errors.ts'
import type { Generation } from './generation.ts'
import type { Plan } from './plan.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { RouteMatch } from './route-index.ts'
import { answerUnclaimed } from './unclaimed.ts'

/** A request that has not met a plan: what every way in makes of what it was given, and hands over. */
export type Arrived = Omit<PlanRequest, 'params'>

/** Where a method and a path lead: to a plan, or to why there is none. */
export type Route = RouteMatch<Plan>

/** `surface` is undefined where no surface claims the request. The answer never rejects. */
export type Dispatched = Readonly<{ surface: Surface | undefined; answer: Answer | Promise<Answer> }>

export const routeOf = ({ index }: Generation, method: string, path: string): Route => index.find(method, path)

const noParams = Object.freeze({})

/**
 * The only place where a request meets a plan: HTTP, the command line and surfaces that ask each other come through
 * here. They look up the route, once, with `routeOf`.
 */
export function dispatch(generation: Generation, arrived: Arrived, route: Route): Dispatched {
  if (route !== undefined && 'value' in route) {
    const { value: plan, params } = route
    return { surface: plan.surface, answer: plan.answer(Object.assign(arrived, { params })) }
  }
  const request = Object.assign(arrived, { params: noParams })
  if (route !== undefined && 'malformed' in route) {
    return {
      surface: undefined,
      answer: generation.failure.ofError(
        new SurfaceError('INVALID_INPUT', route.malformed, { details: { in: 'path' } }),
        request
      )
    }
  }
  return { surface: undefined, answer: answerUnclaimed(generation, request, route?.allowed) }
}
