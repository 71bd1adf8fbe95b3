import { compileLinks } from '../contract/links.ts'
import { compileMeta, type MetaWriter } from '../contract/envelope.ts'
import { siteOf } from '../contract/site.ts'
import type { Observations } from '../discovery/discovery.ts'
import { isOpen } from '../access/index.ts'
import type { Callers } from '../access/access.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import type { Target } from '../manifest/paths.ts'
import type { Registry } from '../registry/registry.ts'
import { compileGate } from './access.ts'
import { bindDerivations, bindHandlers, bindViews, type BindGiven } from './bind-handlers.ts'
import { compileAsk } from './ask.ts'
import { compileBody } from './body.ts'
import { compileFailure, type Failure } from './failure.ts'
import { compileFormat } from './format.ts'
import type { Generation } from './generation.ts'
import { compileInput } from './input.ts'
import { compileLanguage } from './language.ts'
import { compilePure, compileVersioned, noInput, type InSnapshot } from './kept.ts'
import { givenTo, type AskFrom, type CompiledKind, type Version } from './kind.ts'
import { compilePresenter } from './present.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { ContentSource } from './result.ts'
import { compileLive, type AnswerRequest, type Steps } from './steps.ts'
import { unwatched, type Watch } from './watch.ts'

/** The executable form of a surface. `answer` never throws and never rejects. */
export type Plan = Readonly<{ surface: Surface; answer: (request: PlanRequest) => Answer | Promise<Answer> }>

export type PlanGiven<Services> = BindGiven<Services> &
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

/** The objects that all plans of a registry share. */
type PlanContext = Readonly<{
  registry: Registry
  meta: MetaWriter
  links: (path: string) => string
  failure: Failure
  callers: Callers | undefined
  loadedAt: string
  watch: Watch
  inSnapshot: InSnapshot | undefined
  /** Returns the content source of a surface. */
  sourceOf: (surface: Surface) => ContentSource<PlanRequest>
}>

export function planContext<Services>(given: PlanGiven<Services>, generation: () => Generation): PlanContext {
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

/** Returns the function from request to answer for a source. Answers that depend on the caller are not cached. */
function compileAnswer(steps: Steps, source: ContentSource<PlanRequest>, inSnapshot?: InSnapshot): AnswerRequest {
  if (source.when !== 'live') return compilePure(steps, source)
  return source.version === undefined || !isOpen(steps.surface.access)
    ? compileLive(steps, source)
    : compileVersioned(steps, source.version, source.answer, inSnapshot)
}

const watchedSource = (
  surface: Surface,
  source: ContentSource<PlanRequest>,
  watch: Watch
): ContentSource<PlanRequest> =>
  source.when === 'pure'
    ? { ...source, answer: watch.stage(surface, 'content', source.answer) }
    : source.when === 'slow'
      ? { ...source, answer: watch.stage(surface, 'content', source.answer) }
      : {
          ...source,
          ...(source.version === undefined ? {} : { version: watch.stage(surface, 'version', source.version) }),
          answer: watch.stage(surface, 'content', source.answer)
        }

export function compilePlan(
  surface: Surface,
  { registry, meta, links, failure, callers, watch, loadedAt, inSnapshot, sourceOf }: PlanContext
): Plan {
  const source = sourceOf(surface)
  const { prepare, once } = compilePresenter(surface, registry, links)
  const answer = compileAnswer(
    {
      surface,
      readInput:
        source.when === 'pure' && source.ignoresInput === true
          ? () => noInput
          : watch.stage(surface, 'input', compileInput(surface, registry.service.base_url)),
      formatOf: watch.stage(surface, 'format', compileFormat(surface)),
      languageOf: watch.stage(surface, 'language', compileLanguage(surface)),
      write: watch.stage(surface, 'body', compileBody(surface, registry, meta)),
      presenter: { prepare: watch.stage(surface, 'head', prepare), once: watch.stage(surface, 'head', once) },
      loadedAt
    },
    watchedSource(surface, source, watch),
    inSnapshot
  )
  const gate = watch.stage(surface, 'access', compileGate(surface, registry.service, callers))
  const failed = (error: unknown, request: PlanRequest): Answer => failure.ofError(error, request, surface)
  return {
    surface,
    answer: request => {
      try {
        const admitted = gate(request)
        const answered = admitted instanceof Promise ? admitted.then(answer) : answer(admitted)
        return answered instanceof Promise ? answered.catch((error: unknown) => failed(error, request)) : answered
      } catch (error) {
        return failed(error, request)
      }
    }
  }
}
