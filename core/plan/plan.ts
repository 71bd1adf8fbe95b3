import { compileLinks } from '../contract/links.ts'
import { compileMeta, type MetaWriter } from '../contract/envelope.ts'
import type { Observations } from '../discovery/discovery.ts'
import { accessTable } from '../access/index.ts'
import { formatModules, type Format } from '../format/index.ts'
import { known } from '../manifest/context.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { gate } from './access.ts'
import { bindDerivations, bindHandlers, type BindGiven } from './bind-handlers.ts'
import { compileAsk } from './ask.ts'
import { compileBody } from './body.ts'
import { compileFailure, type Failure } from './failure.ts'
import type { Generation } from './generation.ts'
import { compileInput } from './input.ts'
import { compileLanguage } from './language.ts'
import { givenTo, type AskFrom, type CompiledKind } from './kind.ts'
import { createMemo, isRoom } from './memo.ts'
import { negotiateFormat } from './negotiate.ts'
import { answerPrepared, compilePresenter, type PreparedAnswer } from './present.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { PlanInput, Result, Source } from './result.ts'

/** The executable form of a surface. `answer` never throws and never rejects. */
export type Plan = Readonly<{ surface: Surface, answer: (request: PlanRequest) => Answer | Promise<Answer> }>

export type PlanGiven<Services> = BindGiven<Services> & Readonly<{
  registry: Registry
  kinds: readonly CompiledKind[]
  observe: (now: Date) => Observations
  /** Called for every fault that is not the caller's, with the request id that finds it. */
  onFault: (error: unknown, requestId: string) => void
}>

const accepts = new Map(Object.entries(formatModules).map(([format, module]) => [format, module.accepts]))

/** `?format=` decides, then `Accept`, then the first format the manifest lists. */
function compileFormat ({ formats }: Surface): (asked: PlanInput['query'][string], request: PlanRequest) => Format {
  const [first = 'json'] = formats
  const wanted = createMemo<Format>()
  return (asked, { headers: { accept } }) => {
    if (formats.length === 1) return first
    if (typeof asked === 'string') return asked
    if (typeof accept !== 'string') return first
    const chosen = wanted.get(accept)
    if (chosen !== undefined) return chosen
    const found = negotiateFormat(accept, formats, accepts)
    wanted.set(accept, found, 0)
    return found
  }
}

/** What all plans of a registry share. */
type PlanContext = Readonly<{
  registry: Registry
  meta: MetaWriter
  links: (path: string) => string
  failure: Failure
  loadedAt: string
  /** Where the content of a surface comes from. */
  sourceOf: (surface: Surface) => Source<PlanRequest>
}>

export function planContext<Services> (given: PlanGiven<Services>, generation: () => Generation): PlanContext {
  const { registry, onFault } = given
  const meta = compileMeta(registry)
  const links = compileLinks(registry)
  return { registry, meta, links, failure: compileFailure(registry, meta, links, onFault), loadedAt: new Date().toISOString(), sourceOf: compileSources(given, compileAsk(generation)) }
}

/** Each kind is given what it reaches and nothing else. */
function compileSources<Services> (given: PlanGiven<Services>, ask: AskFrom): PlanContext['sourceOf'] {
  const { registry, kinds, observe } = given
  const everything = { documents: registry.documents, corpora: registry.corpora, registry, observations: observe, handlers: bindHandlers(given), derivations: bindDerivations(given), service: registry.service, ask }
  const byName = new Map(kinds.map(kind => [kind.name, kind]))
  return surface => {
    const kind = byName.get(surface.kind)
    if (kind === undefined) throw new Error(`${surface.id} has a kind without a plan.`)
    return kind.compile(surface, givenTo(kind, everything))
  }
}

type Live = Extract<Source<PlanRequest>, { when: 'live' }>

/** The values of the request headers that an answer says it depends on: as in any HTTP cache, they are a part of its key (RFC 9111 §4.1). */
const variantOf = ({ vary }: PreparedAnswer, { headers }: PlanRequest): string => vary.length === 0 ? '' : vary.map(name => `\n${String(headers[name] ?? '')}`).join('')

const noInput: PlanInput = { params: {}, query: {}, body: undefined }

export function compilePlan (surface: Surface, context: PlanContext): Plan {
  const source = context.sourceOf(surface)
  const readInput = source.when === 'pure' && source.ignoresInput === true ? () => noInput : compileInput(surface)
  const write = compileBody(surface, context.registry, context.meta)
  const presenter = compilePresenter(surface, context.registry, context.links)
  const kept = createMemo<PreparedAnswer>()
  let latest: string | undefined
  const daily = source.when === 'pure' && source.daily === true
  const formatOf = compileFormat(surface)
  const languageOf = compileLanguage(surface)
  const { methods, placeholders } = surface.route
  const access = known(accessTable(context.registry.service.access)[surface.access], `access kind ${surface.access}`)

  /** Only what a prepared answer may depend on: undeclared values are not in it. */
  const keyOf = ({ path, method, time }: PlanRequest, query: PlanInput['query'], format: Format, language = ''): string =>
    // Headers depend on the method, where a surface has more than one.
    `${path}?${query === noInput.query ? '{}' : JSON.stringify(query)}\n${format} ${language}${daily ? time.slice(0, 10) : ''}${methods.length > 1 ? method : ''}`

  const answerPure = (request: PlanRequest, answer: Extract<Source, { when: 'pure' }>['answer']): Answer | Promise<Answer> => {
    const read = (): PlanInput => {
      const input = readInput(request)
      if (input instanceof Promise) throw new Error(`${surface.id} cannot read a body.`)
      return input
    }
    // Without a query there is nothing to read before a kept answer is found: its path was checked when it was made.
    const input = request.search === '' ? undefined : read()
    const { query } = input ?? noInput
    const format = formatOf(query.format, request)
    const language = languageOf(query.lang, request)
    const key = keyOf(request, query, format, language)
    const found = kept.get(key)
    if (found !== undefined) return sendKept(request, key, found, found)
    const given = input ?? read()
    const result = answer(language === undefined ? given : { ...given, language }, request)
    const text = write(result, request, format, context.loadedAt)
    // One of many, of which most are asked for once: by a crawler, or by who tries what there is.
    const isOneOfMany = placeholders.length > 0 || Object.keys(query).length > 0
    if (isOneOfMany && !kept.wasAsked(key)) return presenter.once(result, text, request)
    return sendKept(request, key, presenter.prepare(result, text, request.path, request.method), undefined)
  }

  /** Of a live source whose answers stay the same for as long as the version of what they follow from does. */
  const answerVersion = async (request: PlanRequest, version: (now: Date) => Promise<string>, answer: Live['answer']): Promise<Answer> => {
    const input = await readInput(request)
    const format = formatOf(input.query.format, request)
    const language = languageOf(input.query.lang, request)
    const ask = async (): Promise<Result> => await answer(language === undefined ? input : { ...input, language }, request)
    const once = (result: Result): Answer | Promise<Answer> => presenter.once(result, write(result, request, format), request)
    const asked = keyOf(request, input.query, format, language)
    // A crawler asks once: its answers take no place.
    if (!kept.wasAsked(asked)) return once(await ask())
    // The version comes before the answer: an answer that is newer than its version is harmless, an older one would stay.
    const current = await version(request.now)
    // What was made of an earlier state is of no use, and it may be of a source that was forgotten.
    if (current !== latest) kept.clear()
    latest = current
    const key = `${current} ${asked}`
    const any = kept.get(key)
    const found = any === undefined || any.vary.length === 0 ? any : kept.get(key + variantOf(any, request))
    if (found !== undefined) return sendKept(request, key + variantOf(found, request), found, found)
    const result = await ask()
    if (!isRoom()) return once(result)
    const prepared = presenter.prepare(result, write(result, request, format), request.path, request.method)
    if (any === undefined && prepared.vary.length > 0) kept.set(key, prepared, prepared.bytes())
    return sendKept(request, key + variantOf(prepared, request), prepared, undefined)
  }

  /** Sends an answer that may be kept; `before`: as it is kept already. */
  const sendKept = (request: PlanRequest, key: string, prepared: PreparedAnswer, found: PreparedAnswer | undefined): Answer => {
    const before = found?.bytes() ?? 0
    const sent = answerPrepared(prepared, request)
    // The first request for a coding makes its bytes, which count from then on.
    if (prepared.bytes() > before) kept.set(key, prepared, prepared.bytes())
    return sent
  }

  const present = (request: PlanRequest, input: PlanInput, result: Result): Answer | Promise<Answer> =>
    presenter.once(result, write(result, request, formatOf(input.query.format, request)), request)

  const answerLive = (request: PlanRequest, answer: Live['answer']): Answer | Promise<Answer> => {
    const onward = (input: PlanInput): Answer | Promise<Answer> => {
      const language = languageOf(input.query.lang, request)
      const result = answer(language === undefined ? input : { ...input, language }, request)
      return result instanceof Promise ? result.then(found => present(request, input, found)) : present(request, input, result)
    }
    const input = readInput(request)
    return input instanceof Promise ? input.then(onward) : onward(input)
  }

  return {
    surface,
    answer: request => {
      try {
        gate(surface.access, access, request.caller)
        if (source.when === 'pure') return answerPure(request, source.answer)
        const answer = source.version === undefined ? answerLive(request, source.answer) : answerVersion(request, source.version, source.answer)
        return answer instanceof Promise ? answer.catch((error: unknown) => context.failure.ofError(error, request, surface)) : answer
      } catch (error) {
        return context.failure.ofError(error, request, surface)
      }
    }
  }
}
