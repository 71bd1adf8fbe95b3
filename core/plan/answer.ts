import { setImmediate as nextTurn } from 'node:timers/promises'
import { anonymous, type Callers } from '../access/access.ts'
import { isOpen } from '../access/index.ts'
import type { MetaWriter } from '../contract/envelope.ts'
import { usesStores } from '../discovery/pointers.ts'
import type { Format } from '../format/index.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { compileFormat, compileLanguage, createMemo, isRoom } from './choose.ts'
import type { Failure } from './failure.ts'
import { compileClosedGate, type Gate } from './gate.ts'
import type { ContentSource, PlanInput, Result } from './kind.ts'
import { compileInput } from './read.ts'
import type { Answer, PlanRequest, Watch } from './request.ts'
import { answerPrepared, compileBody, compilePresenter, type PreparedAnswer } from './write.ts'

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

/** The compiled steps that make the answers of a surface, whatever the source of their content. */
export type Steps = Readonly<{
  surface: Surface
  readInput: (request: PlanRequest) => PlanInput | Promise<PlanInput>
  formatOf: ReturnType<typeof compileFormat>
  languageOf: ReturnType<typeof compileLanguage>
  write: ReturnType<typeof compileBody>
  presenter: ReturnType<typeof compilePresenter>
  /** When the registry was loaded (ISO 8601): the `as_of` of answers that depend on nothing else. */
  loadedAt: string
}>

/** Answers a request; throws or rejects with an error that `Failure` turns into an answer. */
type AnswerRequest = (request: PlanRequest) => Answer | Promise<Answer>

type Live = Extract<ContentSource<PlanRequest>, { when: 'live' }>

/** Compiles the answers of a live source: its content is made for each request. */
function compileLive({ readInput, formatOf, languageOf, write, presenter }: Steps, { answer }: Live): AnswerRequest {
  return request => {
    const present = (input: PlanInput, result: Result): Answer | Promise<Answer> =>
      presenter.once(result, write(result, request, formatOf(input.query.format, request)), request)
    const onward = (input: PlanInput): Answer | Promise<Answer> => {
      const language = languageOf(input.query.lang, request)
      const result = answer(language === undefined ? input : { ...input, language }, request)
      return result instanceof Promise ? result.then(found => present(input, found)) : present(input, result)
    }
    const input = readInput(request)
    return input instanceof Promise ? input.then(onward) : onward(input)
  }
}

type Pure = Extract<ContentSource<PlanRequest>, { when: 'pure' | 'slow' }>

const noInput: PlanInput = { params: {}, query: {}, body: undefined }

/**
 * Returns the values of the request headers named in `Vary`: as in any HTTP cache, they are part of the cache key (RFC
 * 9111 §4.1).
 */
const variantOf = ({ vary }: PreparedAnswer, { headers }: PlanRequest): string =>
  vary.length === 0 ? '' : vary.map(name => `\n${String(headers[name] ?? '')}`).join('')

/** Creates the cache of one surface's answers. */
function createKept(methods: readonly string[], isDaily = false) {
  const kept = createMemo<PreparedAnswer>()
  return {
    get: kept.get,
    set: (key: string, prepared: PreparedAnswer): void => {
      kept.set(key, prepared, prepared.bytes())
    },
    wasAsked: kept.wasAsked,
    clear: kept.clear,
    /** Returns the cache key: only what a prepared answer may depend on, so no undeclared query parameters. */
    keyOf: ({ path, method, time }: PlanRequest, query: PlanInput['query'], format: Format, language = ''): string =>
      // If a surface has several methods, the headers depend on the method.
      `${path}?${query === noInput.query ? '{}' : JSON.stringify(query)}\n${format} ${language}${isDaily ? time.slice(0, 10) : ''}${methods.length > 1 ? method : ''}`,
    /**
     * Answers a request with a prepared answer and caches it. `before` is the cached answer, if it is cached already.
     */
    send(
      request: PlanRequest,
      key: string,
      prepared: PreparedAnswer,
      before: PreparedAnswer | undefined
    ): Answer | Promise<Answer> {
      // It is cached before it is compressed, so that concurrent requests find it.
      if (before === undefined) kept.set(key, prepared, prepared.bytes())
      const bytesBefore = prepared.bytes()
      // The first request for a content coding adds its bytes, which count from then on. An answer evicted meanwhile is
      // not cached again.
      const counted = (answer: Answer): Answer => {
        if (prepared.bytes() > bytesBefore && kept.get(key) === prepared) kept.set(key, prepared, prepared.bytes())
        return answer
      }
      const sent = answerPrepared(prepared, request)
      return sent instanceof Promise ? sent.then(counted) : counted(sent)
    }
  }
}

/** Compiles the answers of a pure or slow source: they depend on the input alone and are cached. */
export function compilePure(
  { surface, readInput, formatOf, languageOf, write, presenter, loadedAt }: Steps,
  source: Pure
): AnswerRequest {
  const { methods, placeholders } = surface.route
  const kept = createKept(methods, source.when === 'pure' && source.daily)
  const making = new Map<string, Promise<PreparedAnswer>>()
  /** Prepares the answer of a slow source. It may be large, so other requests have their turn between the steps. */
  const prepareSlowly = async (
    result: Promise<Result>,
    request: PlanRequest,
    format: Format
  ): Promise<PreparedAnswer> => {
    const made = await result
    await nextTurn()
    const text = write(made, request, format, loadedAt)
    await nextTurn()
    return presenter.prepare(made, text, request.path, request.method)
  }
  /** Prepares an answer once; concurrent requests for the same key share it. */
  const whenMade = async (
    key: string,
    request: PlanRequest,
    prepare: () => Promise<PreparedAnswer>
  ): Promise<Answer> => {
    const shared =
      making.get(key) ??
      prepare().finally(() => {
        making.delete(key)
      })
    making.set(key, shared)
    const prepared = await shared
    return await kept.send(request, key, prepared, kept.get(key) === prepared ? prepared : undefined)
  }
  return request => {
    const read = (): PlanInput => {
      const input = readInput(request)
      if (input instanceof Promise) throw new Error(`${surface.id} cannot read a body.`)
      return input
    }
    // Without a query, the input need not be read before the cache look-up: the path was checked when the answer was
    // made.
    const input = request.search === '' ? undefined : read()
    const { query } = input ?? noInput
    const format = formatOf(query.format, request)
    const language = languageOf(query.lang, request)
    const key = kept.keyOf(request, query, format, language)
    const found = kept.get(key)
    if (found !== undefined) return kept.send(request, key, found, found)
    const given = input ?? read()
    if (source.when === 'slow')
      return whenMade(key, request, () => prepareSlowly(source.answer(given), request, format))
    const result = source.answer(language === undefined ? given : { ...given, language }, request)
    const text = write(result, request, format, loadedAt)
    // Answers with placeholders or a query are numerous, and most are requested only once, for example by crawlers. So
    // they are cached only from the second request on.
    const isOneOfMany = placeholders.length > 0 || Object.keys(query).length > 0
    if (isOneOfMany && !kept.wasAsked(key)) return presenter.once(result, text, request)
    return kept.send(request, key, presenter.prepare(result, text, request.path, request.method), undefined)
  }
}

/**
 * Runs work so that all it reads is of one moment. Undefined, and nothing is run, while too much such work is done
 * already. Within such work it only runs what it is given.
 */
export type InSnapshot = <T>(work: () => Promise<T>) => Promise<T> | undefined

/**
 * Compiles the answers of a live source with a version: they are cached while the version is the same. `inSnapshot`: if
 * it is given, an answer is made in one snapshot with its version, because several servers may answer.
 */
export function compileVersioned(
  { surface, readInput, formatOf, languageOf, write, presenter }: Steps,
  version: NonNullable<Live['version']>,
  answer: Live['answer'],
  inSnapshot?: InSnapshot
): AnswerRequest {
  const kept = createKept(surface.route.methods)
  let latest: string | undefined
  /** Returns the version now. Answers of another one are useless, and may contain data that was deleted since. */
  const versionOf = async (now: Date): Promise<string> => {
    const current = await version(now)
    if (current !== latest) kept.clear()
    latest = current
    return current
  }
  return async request => {
    const input = await readInput(request)
    const format = formatOf(input.query.format, request)
    const language = languageOf(input.query.lang, request)
    const ask = async (): Promise<Result> =>
      await answer(language === undefined ? input : { ...input, language }, request)
    const once = (result: Result): Answer | Promise<Answer> =>
      presenter.once(result, write(result, request, format), request)
    const asked = kept.keyOf(request, input.query, format, language)
    // The first request for an answer does not cache it: crawlers request each answer only once.
    if (!kept.wasAsked(asked)) return once(await ask())
    const known = `${await versionOf(request.now)} ${asked}`
    const any = kept.get(known)
    const found = any === undefined || any.vary.length === 0 ? any : kept.get(known + variantOf(any, request))
    if (found !== undefined) return kept.send(request, known + variantOf(found, request), found, found)
    // Without snapshots the version is read before the answer. An answer newer than its version is harmless, but an
    // older one would stay in the cache.
    const make = async (key: string): Promise<Readonly<{ key: string; result: Result }>> => ({
      key,
      result: await ask()
    })
    const made = isRoom()
      ? inSnapshot === undefined
        ? make(known)
        : inSnapshot(async () => await make(`${await versionOf(request.now)} ${asked}`))
      : undefined
    if (made === undefined) return once(await ask())
    const { key, result } = await made
    const prepared = presenter.prepare(result, write(result, request, format), request.path, request.method)
    if (prepared.vary.length > 0 && kept.get(key) === undefined) kept.set(key, prepared)
    return kept.send(request, key + variantOf(prepared, request), prepared, undefined)
  }
}
