import type { JsonObject } from '../canonical/json.ts'
import { atOnce, type Sliced } from '../canonical/slices.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Segment } from '../manifest/paths.ts'
import type { Registry } from '../registry/registry.ts'
import type { Failure } from './failure.ts'
import { compilePlan, planContext, type Plan, type PlanGiven } from './plan.ts'
import { createRouteIndex, type RouteIndex } from './route-index.ts'
import { compileSuggestions } from './unclaimed.ts'

/** A registry and the plans compiled from it; a reload replaces the generation as a whole. */
export type Generation = Readonly<{
  registry: Registry
  index: RouteIndex<Plan>
  failure: Failure
  /** Returns suggestions for a path that no surface matches. */
  suggest: (path: string) => JsonObject
}>

/**
 * Returns the forms of a path: one that ends with a slash is served without it as well, because OpenAPI has only that
 * form.
 */
function withoutSlash(segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const last = segments.at(-1)
  return last !== undefined && 'literal' in last && last.literal === '' && segments.length > 1
    ? [segments, segments.slice(0, -1)]
    : [segments]
}

const formsOf = ({ route }: Surface): readonly (readonly Segment[])[] =>
  [route, ...route.aliases].flatMap(({ segments }) => withoutSlash(segments))

export const compileGeneration = <Services>(given: PlanGiven<Services>): Generation =>
  atOnce(compilingGeneration(given))

export function* compilingGeneration<Services>(given: PlanGiven<Services>): Sliced<Generation> {
  const { registry } = given
  const context = planContext(given, () => generation)
  const plans: Plan[] = []
  for (const surface of [...registry.surfaces, ...registry.forms]) {
    plans.push(compilePlan(surface, context))
    yield
  }
  const index = createRouteIndex(
    plans.flatMap(plan =>
      formsOf(plan.surface).map(segments => ({ methods: plan.surface.route.methods, segments, value: plan }))
    )
  )
  yield
  const generation: Generation = { registry, index, failure: context.failure, suggest: compileSuggestions(registry) }
  return generation
}
