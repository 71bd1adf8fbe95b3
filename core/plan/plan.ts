import type { MetaWriter } from '../contract/envelope.ts'
import { usesStores } from '../discovery/pointers.ts'
import { isOpen } from '../access/index.ts'
import { anonymous, type Callers } from '../access/access.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { compileClosedGate, type Gate } from './access.ts'
import { compileBody } from './body.ts'
import type { Failure } from './failure.ts'
import { compileFormat } from './format.ts'
import { compileInput } from './input.ts'
import { compileLanguage } from './language.ts'
import { compilePure, compileVersioned, noInput, type InSnapshot } from './kept.ts'
import { compilePresenter } from './present.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { ContentSource } from './result.ts'
import { compileLive, type AnswerRequest, type Steps } from './steps.ts'
import type { Watch } from './watch.ts'

/** The executable form of a surface. `answer` never throws and never rejects. */
export type Plan = Readonly<{
  surface: Surface
  /** True if the answer needs stores: its requests may have to wait in a queue. */
  usesStores: boolean
  answer: (request: PlanRequest) => Answer | Promise<Answer>
}>

/** The objects that all plans of a registry share. */
export type PlanContext = Readonly<{
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

/** On an open surface the caller is anonymous, also for a request from a surface that has identified it. */
const openGate: Gate = request => (request.caller === anonymous ? request : { ...request, caller: anonymous })

export const compileGate = (
  surface: Pick<Surface, 'access' | 'carriesPii'>,
  service: Service,
  callers: Callers | undefined
): Gate => (isOpen(surface.access) ? openGate : compileClosedGate(surface, service, callers))

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
    usesStores: usesStores(surface),
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
