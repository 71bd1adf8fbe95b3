import Router, { type RouterMiddleware } from '@koa/router'
import { compilePlan, planContext, type Plan, type PlanContext, type PlanGiven } from '../plan/plan.ts'
import { createRouteIndex, type RouteIndex } from '../plan/route-index.ts'
import type { JsonObject } from '../canonical/json.ts'
import type { Registry } from '../registry/registry.ts'
import type { Segment, Surface } from '../manifest/surface.ts'
import { compileSuggestions } from './unclaimed.ts'

/** Everything that answers requests, made from one registry and replaced as a whole. */
export type Generation = Readonly<{
  registry: Registry
  plans: readonly Plan[]
  context: PlanContext
  index: RouteIndex<Plan>
  /** Suggestions for a path that nothing claims. */
  suggest: (path: string) => JsonObject
  /** The same surfaces in @koa/router, for requests that go the ordinary way; it leaves the plan in `ctx.state.plan`. */
  route: RouterMiddleware
}>

/** A path that ends with a slash is answered without it as well: OpenAPI knows only that form. */
function withoutSlash (segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const last = segments.at(-1)
  return last !== undefined && 'literal' in last && last.literal === '' && segments.length > 1 ? [segments, segments.slice(0, -1)] : [segments]
}

const formsOf = ({ route }: Surface): readonly (readonly Segment[])[] => [route, ...route.aliases].flatMap(({ segments }) => withoutSlash(segments))

/** `{name}` is this project's form of a placeholder; `:name` is the router's. */
const routerPath = (segments: readonly Segment[]): string =>
  segments.map(segment => '/' + ('placeholder' in segment ? `:${segment.placeholder}` : segment.literal.replace(/[{}()[\]+?!:*\\]/g, '\\$&'))).join('')

/** Literal segments before placeholders, position by position: @koa/router takes the first route that matches. */
const bySpecificity = (a: Plan, b: Plan): number => {
  const shape = ({ surface }: Plan): string => surface.route.segments.map(segment => 'placeholder' in segment ? '1' : '0').join('')
  return shape(a) < shape(b) ? -1 : shape(a) > shape(b) ? 1 : 0
}

export function compileGeneration<Services> (given: PlanGiven<Services>): Generation {
  const context = planContext(given, (method, path) => index.find(method, path))
  const plans = given.registry.surfaces.map(surface => compilePlan(surface, context))
  const index: RouteIndex<Plan> = createRouteIndex(plans.flatMap(plan => formsOf(plan.surface).map(segments => ({ methods: plan.surface.route.methods, segments, value: plan }))))
  const router = new Router({ strict: true, sensitive: true })
  for (const plan of [...plans].sort(bySpecificity)) {
    router.register(formsOf(plan.surface).map(routerPath), [...plan.surface.route.methods], (ctx, next) => {
      ctx.state.plan = plan
      return next()
    }, { name: plan.surface.id })
  }
  return { registry: given.registry, plans, context, index, suggest: compileSuggestions(given.registry), route: router.routes() as RouterMiddleware }
}
