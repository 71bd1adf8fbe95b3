import type { Surface } from '../manifest/surface.ts'
import { SurfaceError } from '../handler/errors.ts'
import type { Generation } from './generation.ts'
import type { Plan } from './plan.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { RouteMatch } from './route-index.ts'
import { answerUnclaimed } from './unclaimed.ts'

/** A request before it is routed, as HTTP, the command line and asking surfaces make it. */
export type Arrived = Omit<PlanRequest, 'params'>

/** The route of a method and path: a plan, or the reason why there is none. */
export type PlanRoute = RouteMatch<Plan>

/** The answer and the surface that gave it; `surface` is undefined if no surface matches. The answer never rejects. */
export type Dispatched = Readonly<{ surface: Surface | undefined; answer: Answer | Promise<Answer> }>

export const routeOf = ({ index }: Generation, method: string, path: string): PlanRoute => index.find(method, path)

const noParams = Object.freeze({})

/**
 * Answers a request with the plan of its route. HTTP, the command line and surfaces that ask each other all call this
 * function, after one look-up of the route with `routeOf`.
 */
export function dispatch(generation: Generation, arrived: Arrived, route: PlanRoute): Dispatched {
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
