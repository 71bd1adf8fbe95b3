import type { Callers } from '../access/access.ts'
import { isOpen } from '../access/index.ts'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { runSync, type SlicedWork } from '../canonical/work.ts'
import { compileLinks, compileMeta, siteOf } from '../contract/envelope.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { Observations } from '../discovery/define.ts'
import { bodyTooLarge, invalid, unavailable } from '../handler/errors.ts'
import type { Ask, Asked } from '../handler/handler.ts'
import { expandTarget, movedTarget, plainPath, type Segment, type Target } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import { inLanguage } from '../registry/languages.ts'
import { placeOf } from '../registry/place.ts'
import type { Registry } from '../registry/registry.ts'
import { parseStrictJson } from '../source/strict-json.ts'
import { compilePlan, type InSnapshot, type Plan, type PlanContext } from './answer.ts'
import { bindDerivations, bindHandlers, bindViews, type BindOptions } from './bind-handlers.ts'
import { originFields, takesKeysOf } from './cross-origin.ts'
import { createRouteIndex, splitTarget, type RouteIndex, type RouteMatch } from './dispatch.ts'
import { compileFailureResponder, type FailureResponder, type UnavailableListener } from './failure.ts'
import { commonFields, writeField, writeFields, parseFields, stamps, withoutContent } from './head.ts'
import { dependenciesOf, type AskFrom, type CompiledKind, type ContentSource, type Rows, type Version } from './kind.ts'
import { invalidIn } from './read.ts'
import {
  noopTracer,
  type Answer,
  type BodyReaders,
  type MaybePromise,
  type PlanRequest,
  type Tracer
} from './request.ts'
import { compileSuggestions } from './suggest.ts'

type PlanOptions<Services> = BindOptions<Services> &
  Readonly<{
    registry: Registry
    kinds: readonly CompiledKind[]
    observe: (now: Date) => Observations
    /** Called with the id of the request for every error that is answered as INTERNAL (`Failure.ofError`). */
    onFault: (error: unknown, requestId: string) => void
    onUnavailable?: UnavailableListener
    watch?: Tracer
    /** Absent if all stores are read from one server, so that a later read never returns older data. */
    inSnapshot?: InSnapshot | undefined
    /** Returns the reader of a table; absent if no database is open. */
    tables?: ((corpus: Corpus) => Rows) | undefined
  }>

/** A registry and the plans compiled from it; a reload replaces the generation as a whole. */
export type Generation = Readonly<{
  registry: Registry
  index: RouteIndex<Plan>
  failure: FailureResponder
  suggest: (path: string) => JsonObject
}>

/**
 * Returns the paths of a surface and its aliases. A path that ends with a slash is served without it as well, because
 * OpenAPI has only that form.
 */
const routesOf = ({ route }: Surface): readonly (readonly Segment[])[] =>
  [route, ...route.aliases].flatMap(({ segments }) => {
    const last = segments.at(-1)
    const endsWithSlash = last !== undefined && 'literal' in last && last.literal === '' && segments.length > 1
    return endsWithSlash ? [segments, segments.slice(0, -1)] : [segments]
  })

export const compileGeneration = <Services>(options: PlanOptions<Services>): Generation =>
  runSync(compileGenerationInSlices(options))

export function* compileGenerationInSlices<Services>(options: PlanOptions<Services>): SlicedWork<Generation> {
  const { registry } = options
  const context = planContext(options, () => generation)
  const plans: Plan[] = []
  for (const surface of [...registry.surfaces, ...registry.forms]) {
    plans.push(compilePlan(surface, context))
    yield
  }
  const index = createRouteIndex(
    plans.flatMap(plan =>
      routesOf(plan.surface).map(segments => ({ methods: plan.surface.route.methods, segments, value: plan }))
    )
  )
  yield
  const generation: Generation = { registry, index, failure: context.failure, suggest: compileSuggestions(registry) }
  return generation
}

function planContext<Services>(options: PlanOptions<Services>, generation: () => Generation): PlanContext {
  const { registry, onFault, onUnavailable, watch = noopTracer, inSnapshot } = options
  const meta = compileMeta(registry)
  const links = compileLinks(registry)
  // Only a root that identifies callers has the service `callers`.
  const { callers } = options.services as Readonly<{ callers?: Callers<string> }>
  return {
    registry,
    meta,
    links,
    callers,
    watch,
    inSnapshot,
    onFault,
    failure: compileFailureResponder(registry, meta, links, onFault, onUnavailable),
    loadedAt: new Date().toISOString(),
    sourceOf: compileSources(options, compileAsk(generation, watch))
  }
}

/** Rejects every request, because no database is open. */
function tablesWithoutDatabase(): Rows {
  const refuse = (): Promise<never> =>
    Promise.reject(unavailable('The database is not open.', 1, { subsystem: 'database' }))
  return { list: refuse, count: refuse, one: refuse, end: refuse }
}

/** Returns a function that compiles the source of a surface. Each kind receives only what its `reaches` lists. */
function compileSources<Services>(options: PlanOptions<Services>, ask: AskFrom): PlanContext['sourceOf'] {
  const { registry, observe, tables = tablesWithoutDatabase } = options
  const { documents, corpora, service, surfaces } = registry
  const sources = new Map<Surface, ContentSource<PlanRequest>>()
  const everything = {
    documents,
    corpora,
    tables,
    registry,
    observations: observe,
    handlers: bindHandlers(options),
    derivations: bindDerivations(options),
    views: bindViews(options),
    site: (tag: string | undefined) => {
      const spoken = inLanguage(registry, tag)
      return { site: siteOf(spoken), service: spoken.service }
    },
    service,
    ask,
    versions: (target: Target) => versionOf(target)
  }
  const kinds = new Map(options.kinds.map(kind => [kind.name, kind]))
  function sourceOf(surface: Surface): ContentSource<PlanRequest> {
    const kind = kinds.get(surface.kind)
    if (kind === undefined) throw new Error(`${surface.id} has a kind without a plan.`)
    const source = sources.get(surface) ?? kind.compile(surface, dependenciesOf(kind, everything))
    sources.set(surface, source)
    return source
  }
  function versionOf(target: Target): Version | undefined {
    const surface = surfaceAt(surfaces, target)
    const source = surface === undefined ? undefined : sourceOf(surface)
    if (source === undefined || source.when === 'live') return source?.version
    const isDaily = source.when === 'pure' && source.daily === true
    return now => Promise.resolve(isDaily ? now.toISOString().slice(0, 10) : '')
  }
  return sourceOf
}

/** If more surfaces ask each other, it is taken for a loop, a bug in their code. */
const maxDepth = 3

/** `via` makes a public answer omit headers that belong to one request. */
const relayedHeaders = { accept: 'application/json', via: '1.1 pantry' }

const headersOf = ({ head }: Answer, name: string): readonly string[] =>
  parseFields(head).flatMap(([found, value]) => (found === name ? [value] : []))
const headerOf = (answer: Answer, name: string): string => headersOf(answer, name)[0] ?? ''

const nextLink = /<([^>]*)>; rel="next"/

const textOf = ({ body, encoding }: Answer): string =>
  typeof body === 'string' && encoding === 'latin1' ? Buffer.from(body, 'latin1').toString() : body.toString()

/** Returns readers of a JSON body, which check it like one from outside. */
function bodyOf(body: JsonValue): BodyReaders {
  const bytes = Buffer.from(JSON.stringify(body))
  const readBytes = (limitBytes: number): Promise<Uint8Array> =>
    bytes.length > limitBytes ? Promise.reject(bodyTooLarge(limitBytes)) : Promise.resolve(bytes)
  return {
    readBytes,
    readForm: async limitBytes => ({ pairs: await readBytes(limitBytes) }),
    readBody: async limitBytes => {
      const parsed = parseStrictJson(await readBytes(limitBytes))
      if (!parsed.ok) throw invalid('body', parsed.message)
      return parsed.value
    }
  }
}

/**
 * Returns the `ask` function of a request: it asks another surface in process, with the same time, caller and hash of
 * its address and the language of a page that asks, but not the headers, query and body. On a surface whose only access
 * kind is `public`, the caller is anonymous.
 */
export const compileAsk =
  (generationOf: () => Generation, watch: Tracer) =>
  (request: PlanRequest): Ask =>
  async (target, sent): Promise<Asked | undefined> => {
    const depth = (request.depth ?? 0) + 1
    if (depth > maxDepth) throw new Error(`Surfaces ask each other in a loop: ${target.slice(0, 200)}`)
    const generation = generationOf()
    const method = sent?.method ?? 'GET'
    const { path, search } = splitTarget(placeOf(generation.registry)(target))
    const route = routeOf(generation, method, path)
    if (route !== undefined && 'malformed' in route) throw invalid('path', route.malformed)
    if (route === undefined || !('value' in route)) return undefined
    const unrouted = {
      ...request,
      ...bodyOf(sent?.body ?? null),
      method,
      path,
      search,
      headers:
        request.language === undefined ? relayedHeaders : { ...relayedHeaders, 'accept-language': request.language },
      language: undefined,
      depth,
      waiting: request.waiting.inner()
    }
    const { outcome, passed } = watch.during(() => dispatch(generation, unrouted, route).answer)
    const answer = await outcome
    return {
      surface: route.value.surface,
      status: answer.status,
      mediaType: headerOf(answer, 'Content-Type').split(';')[0] ?? '',
      cacheControl: headerOf(answer, 'Cache-Control'),
      retryAfter: headerOf(answer, 'Retry-After'),
      cookies: headersOf(answer, 'Set-Cookie'),
      next: nextLink.exec(headersOf(answer, 'Link').join(', '))?.[1],
      body: textOf(answer),
      passed
    }
  }

export type UnroutedRequest = Omit<PlanRequest, 'params'>

/** The plan for a method and path, or the reason why there is none. */
export type PlanRoute = RouteMatch<Plan>

/** An answer that never rejects, and the surface that gives it; undefined if none matches. */
export type Dispatched = Readonly<{ surface: Surface | undefined; answer: MaybePromise<Answer> }>

export const routeOf = ({ index }: Generation, method: string, path: string): PlanRoute => index.find(method, path)

const noParams = Object.freeze({})

/**
 * Answers a request with the plan of its route, or says why there is none. HTTP, the command line and surfaces that ask
 * each other all call `dispatch`.
 */
export function dispatch(generation: Generation, unrouted: UnroutedRequest, route: PlanRoute): Dispatched {
  if (route !== undefined && 'value' in route) {
    const { value: plan, params } = route
    return { surface: plan.surface, answer: plan.answer(Object.assign(unrouted, { params })) }
  }
  const request = Object.assign(unrouted, { params: noParams })
  const answer =
    route !== undefined && 'malformed' in route
      ? generation.failure.ofError(invalidIn('path', route.malformed), request)
      : answerUnclaimed(generation, request, route?.allowed)
  return { surface: undefined, answer }
}

const noHeaders = {}

/** Returns the path of the page of a form, which a browser opens that reloads what a form was sent to. */
function pageOfForm(route: PlanRoute, base = ''): string | undefined {
  if (route === undefined || !('value' in route)) return undefined
  const { back } = route.value.surface.page ?? {}
  return back && expandTarget(movedTarget(base, back), name => route.params[name])
}

/**
 * Answers a request that no surface matches: 204 for OPTIONS; 303 to its page if a form is sent there; 405 with Allow
 * if the path has other methods; 308 if the path without doubled and trailing slashes matches; otherwise 404 with
 * suggestions.
 */
function answerUnclaimed(
  { failure, suggest, registry: { service, moved }, index }: Generation,
  request: PlanRequest,
  allowed: readonly string[] | undefined
): Answer {
  const { method, path, search } = request
  if (method === 'OPTIONS') {
    const surfaces = allowed?.flatMap(name => {
      const route = index.find(name, path)
      return route !== undefined && 'value' in route ? [route.value.surface] : []
    })
    const allow = (allowed ?? ['GET', 'HEAD', 'OPTIONS']).join(', ')
    if (surfaces?.some(({ access }) => isOpen(access)) ?? true)
      return answerOptions(service, request, allow, anyRequest)
    if (surfaces?.some(surface => takesKeysOf(surface, service)) !== true) return answerOptions(service, request, allow)
    const fields = originFields(request, service)
    return answerOptions(
      service,
      request,
      allow,
      fields === '' ? {} : requestWithKey(allow),
      `Vary: Origin\r\n${fields}`
    )
  }
  const isRead = method === 'GET' || method === 'HEAD'
  const page =
    isRead && allowed?.includes('POST') === true ? pageOfForm(index.find('POST', path), moved?.base) : undefined
  if (page !== undefined)
    return withoutContent(
      303,
      `${commonFields(service)}${writeField('Location', page)}Content-Length: 0\r\n${stamps(request)}`
    )
  if (allowed !== undefined)
    return failure.ofFacts(
      {
        code: 'METHOD_NOT_ALLOWED',
        status: 405,
        message: `${method.slice(0, 20)} is not allowed here.`,
        details: { allowed },
        data: null,
        headers: { Allow: allowed.join(', ') }
      },
      request
    )
  const plain = plainPath(path)
  const found = plain === path ? undefined : index.find(method, plain)
  // The client repeats the method and the body at the other path (RFC 9110 §15.4.9).
  if (found !== undefined && 'value' in found)
    return withoutContent(
      308,
      `${commonFields(service)}${writeField('Location', search === '' ? plain : `${plain}?${search}`)}Content-Length: 0\r\n${stamps(request)}`
    )
  return failure.ofFacts(
    {
      code: 'NOT_FOUND',
      status: 404,
      message: 'Nothing is served at this path.',
      details: undefined,
      data: suggest(plain),
      headers: noHeaders
    },
    request
  )
}

/** In Access-Control-Allow-Headers, `*` does not cover Authorization. */
const anyRequest = {
  'Access-Control-Allow-Methods': '*',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400'
}

/** What scripts of listed origins may send to a path of restricted surfaces. */
const requestWithKey = (allow: string): typeof anyRequest => ({ ...anyRequest, 'Access-Control-Allow-Methods': allow })

/**
 * Answers OPTIONS, also a CORS preflight (Fetch §3.2.2). If one surface of the path is public (`anyRequest`), scripts
 * of other origins may send anything, so that they can read why a request is refused. `more`: fields for one origin.
 */
const answerOptions = (
  service: Service,
  request: PlanRequest,
  allow: string,
  allowed: Partial<typeof anyRequest> = {},
  more = ''
): Answer =>
  withoutContent(
    204,
    // OPTIONS needs no credential, so the rate limit shown is the one of the service.
    commonFields(service, undefined, allowed === anyRequest, false) +
      writeFields({ Allow: allow, ...allowed }) +
      more +
      stamps(request)
  )
