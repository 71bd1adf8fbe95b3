import type { Callers } from '../access/access.ts'
import { isOpen } from '../access/index.ts'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { atOnce, type Sliced } from '../canonical/work.ts'
import { compileLinks, compileMeta, siteOf } from '../contract/envelope.ts'
import type { Observations } from '../discovery/define.ts'
import { bodyTooLarge, invalid, SurfaceError } from '../handler/errors.ts'
import type { Ask, Asked } from '../handler/handler.ts'
import type { Segment, Target } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { parseStrictJson } from '../source/strict-json.ts'
import { compilePlan, type InSnapshot, type Plan, type PlanContext } from './answer.ts'
import { bindDerivations, bindHandlers, bindViews, type BindGiven } from './bind-handlers.ts'
import { createRouteIndex, splitTarget, type RouteIndex, type RouteMatch } from './dispatch.ts'
import { compileFailure, type Failure } from './failure.ts'
import { commonFields, field, fields, fieldsOf, stamps } from './head.ts'
import { givenTo, type AskFrom, type CompiledKind, type ContentSource, type Version } from './kind.ts'
import { unwatched, type Answer, type PlanRequest, type Watch } from './request.ts'
import { compileSuggestions } from './suggest.ts'

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

/**
 * Maximum depth of surfaces that ask each other for one request. A greater depth is taken for a loop, which is a bug in
 * their code.
 */
const deepest = 3

/**
 * The headers of a request between surfaces. The asking surface may pass the answer on, so `via` makes it omit headers
 * that belong to one request.
 */
const relayed = { accept: 'application/json', via: '1.1 pantry' }

const headersOf = ({ head }: Answer, wanted: string): readonly string[] =>
  fieldsOf(head).flatMap(([name, value]) => (name === wanted ? [value] : []))
const headerOf = (answer: Answer, wanted: string): string => headersOf(answer, wanted)[0] ?? ''

const textOf = ({ body, encoding }: Answer): string =>
  typeof body === 'string' ? (encoding === 'latin1' ? Buffer.from(body, 'latin1').toString() : body) : body.toString()

/** Returns the body readers of a request between surfaces: its body is checked like one from outside. */
function bodyOf(body: JsonValue): Pick<PlanRequest, 'readBody' | 'readBytes' | 'readForm'> {
  const bytes = Buffer.from(JSON.stringify(body))
  const readBytes = (limitBytes: number): Promise<Uint8Array> =>
    bytes.length > limitBytes ? Promise.reject(bodyTooLarge(limitBytes)) : Promise.resolve(bytes)
  return {
    readBytes,
    readForm: async limitBytes => ({ pairs: await readBytes(limitBytes) }),
    readBody: async limitBytes => {
      const found = parseStrictJson(await readBytes(limitBytes))
      if (!found.ok) throw invalid('body', found.message)
      return found.value
    }
  }
}

/**
 * Returns the `ask` function of a request: it asks another surface in process, with the same time. The headers, query
 * and body of the asking request are not passed on, but its caller and the hash of its address are. A surface open to
 * everyone has an anonymous caller, so the answer is public. `generationOf` is a function because plans are compiled
 * before the generation exists.
 */
export const compileAsk =
  (generationOf: () => Generation, watch: Watch) =>
  (request: PlanRequest): Ask =>
  async (target, sent): Promise<Asked | undefined> => {
    const depth = (request.depth ?? 0) + 1
    if (depth > deepest) throw new Error(`Surfaces ask each other in a loop: ${target.slice(0, 200)}`)
    const generation = generationOf()
    const method = sent?.method ?? 'GET'
    const { path, search } = splitTarget(target)
    const route = routeOf(generation, method, path)
    if (route !== undefined && 'malformed' in route) throw invalid('path', route.malformed)
    if (route === undefined || !('value' in route)) return undefined
    const { surface } = route.value
    const arrived = { ...request, ...bodyOf(sent?.body ?? null), method, path, search, headers: relayed, depth }
    const { outcome, passed } = watch.during(() => dispatch(generation, arrived, route).answer)
    const answer = await outcome
    return {
      surface,
      status: answer.status,
      mediaType: headerOf(answer, 'Content-Type').split(';')[0] ?? '',
      cacheControl: headerOf(answer, 'Cache-Control'),
      retryAfter: headerOf(answer, 'Retry-After'),
      cookies: headersOf(answer, 'Set-Cookie'),
      body: textOf(answer),
      passed
    }
  }

/** A request before it is routed, as HTTP, the command line and asking surfaces make it. */
export type UnroutedRequest = Omit<PlanRequest, 'params'>

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
export function dispatch(generation: Generation, unrouted: UnroutedRequest, route: PlanRoute): Dispatched {
  if (route !== undefined && 'value' in route) {
    const { value: plan, params } = route
    return { surface: plan.surface, answer: plan.answer(Object.assign(unrouted, { params })) }
  }
  const request = Object.assign(unrouted, { params: noParams })
  if (route === undefined || 'allowed' in route)
    return { surface: undefined, answer: answerUnclaimed(generation, request, route?.allowed) }
  const error = new SurfaceError('INVALID_INPUT', route.malformed, { details: { in: 'path' } })
  return { surface: undefined, answer: generation.failure.ofError(error, request) }
}

const noHeaders = {}

/**
 * Answers a request that no surface matches: 204 for OPTIONS, 405 with Allow, 308 where the path without its trailing
 * slash matches, 404 with suggestions.
 */
function answerUnclaimed(
  { failure, suggest, registry, index }: Generation,
  request: PlanRequest,
  allowed: readonly string[] | undefined
): Answer {
  if (request.method === 'OPTIONS') {
    const claims = (allowed ?? []).map(method => index.find(method, request.path))
    const isShared =
      allowed === undefined ||
      claims.some(found => found !== undefined && 'value' in found && isOpen(found.value.surface.access))
    return answerOptions(registry.service, request, (allowed ?? ['GET', 'HEAD', 'OPTIONS']).join(', '), isShared)
  }
  if (allowed !== undefined) {
    const message = `${request.method.slice(0, 20)} is not allowed here.`
    return failure.ofFacts(
      {
        code: 'METHOD_NOT_ALLOWED',
        status: 405,
        message,
        details: { allowed },
        data: null,
        headers: { Allow: allowed.join(', ') }
      },
      request
    )
  }
  const shorter = request.path.endsWith('/') ? request.path.slice(0, -1) : ''
  const meant = shorter === '' ? undefined : index.find(request.method, shorter)
  if (meant !== undefined && 'value' in meant) return answerMoved(registry.service, request, shorter)
  return failure.ofFacts(
    {
      code: 'NOT_FOUND',
      status: 404,
      message: 'Nothing is served at this path.',
      details: undefined,
      data: suggest(request.path),
      headers: noHeaders
    },
    request
  )
}

/** Returns a 308 redirect: the client repeats the method and the body at the other path (RFC 9110 §15.4.9). */
const answerMoved = (service: Service, request: PlanRequest, path: string): Answer => ({
  status: 308,
  head: `${commonFields(service)}${field('Location', request.search === '' ? path : `${path}?${request.search}`)}Content-Length: 0\r\n${stamps(request)}`,
  body: '',
  encoding: 'latin1'
})

/**
 * Answers OPTIONS, also a CORS preflight (Fetch §3.2.2), with one policy for every public surface: scripts may send any
 * method and any header, so that they can read why a request is refused. `*` does not cover Authorization, so that is
 * listed. If the access of every surface at the path is limited, no script of another origin may send anything.
 */
const answerOptions = (service: Service, request: PlanRequest, allow: string, isShared: boolean): Answer => ({
  status: 204,
  // OPTIONS needs no credential, so the rate limit shown is the one of the service.
  head:
    commonFields(service, undefined, isShared, false) +
    fields({
      Allow: allow,
      ...(isShared
        ? {
            'Access-Control-Allow-Methods': '*',
            'Access-Control-Allow-Headers': '*, Authorization',
            'Access-Control-Max-Age': '86400'
          }
        : {})
    }) +
    stamps(request),
  body: '',
  encoding: 'latin1'
})
