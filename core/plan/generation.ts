import type { Callers } from '../access/access.ts'
import type { JsonObject } from '../canonical/json.ts'
import { atOnce, type Sliced } from '../canonical/slices.ts'
import { compileMeta } from '../contract/envelope.ts'
import { compileLinks } from '../contract/links.ts'
import { siteOf } from '../contract/site.ts'
import type { Observations } from '../discovery/discovery.ts'
import type { Segment, Target } from '../manifest/paths.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { compileAsk } from './ask.ts'
import { bindDerivations, bindHandlers, bindViews, type BindGiven } from './bind-handlers.ts'
import { compileFailure, type Failure } from './failure.ts'
import type { InSnapshot } from './kept.ts'
import { givenTo, type AskFrom, type CompiledKind, type Version } from './kind.ts'
import { compilePlan, type Plan, type PlanContext } from './plan.ts'
import type { PlanRequest } from './request.ts'
import type { ContentSource } from './result.ts'
import { createRouteIndex, type RouteIndex } from './route-index.ts'
import { compileSuggestions } from './unclaimed.ts'
import { unwatched, type Watch } from './watch.ts'

type PlanGiven<Services> = BindGiven<Services> &
  Readonly<{
    registry: Registry
    kinds: readonly CompiledKind[]
    observe: (now: Date) => Observations
    /** Called for every error that is not the caller's mistake, with the id of the request. */
    onFault: (error: unknown, requestId: string) => void
    /** Observes each stage of each answer. */
    watch?: Watch
    /** Absent if what is read later is never older. */
    inSnapshot?: InSnapshot | undefined
  }>

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

function planContext<Services>(given: PlanGiven<Services>, generation: () => Generation): PlanContext {
  const { registry, onFault, watch = unwatched, inSnapshot } = given
  const meta = compileMeta(registry)
  const links = compileLinks(registry)
  // Only a root that identifies callers has the service `callers`.
  const { callers } = given.services as Readonly<{ callers?: Callers }>
  return {
    registry,
    meta,
    links,
    callers,
    watch,
    inSnapshot,
    failure: compileFailure(registry, meta, links, onFault),
    loadedAt: new Date().toISOString(),
    sourceOf: compileSources(given, compileAsk(generation, watch))
  }
}

/** Returns `sourceOf`; each kind gets only what its `reaches` lists. */
function compileSources<Services>(given: PlanGiven<Services>, ask: AskFrom): PlanContext['sourceOf'] {
  const { registry, kinds, observe } = given
  const sources = new Map<Surface, ContentSource<PlanRequest>>()
  const everything = {
    documents: registry.documents,
    corpora: registry.corpora,
    registry,
    observations: observe,
    handlers: bindHandlers(given),
    derivations: bindDerivations(given),
    views: bindViews(given),
    site: siteOf(registry),
    service: registry.service,
    ask,
    versions: (target: Target) => versionOf(target)
  }
  const byName = new Map(kinds.map(kind => [kind.name, kind]))
  function sourceOf(surface: Surface): ContentSource<PlanRequest> {
    const kind = byName.get(surface.kind)
    if (kind === undefined) throw new Error(`${surface.id} has a kind without a plan.`)
    const source = sources.get(surface) ?? kind.compile(surface, givenTo(kind, everything))
    sources.set(surface, source)
    return source
  }
  function versionOf(target: Target): Version | undefined {
    const surface = surfaceAt(registry.surfaces, target)
    const source = surface === undefined ? undefined : sourceOf(surface)
    if (source?.when === 'pure' || source?.when === 'slow')
      return now =>
        Promise.resolve(source.when === 'pure' && source.daily === true ? now.toISOString().slice(0, 10) : '')
    return source?.version
  }
  return sourceOf
}
