import { setImmediate as nextTurn } from 'node:timers/promises'
import { anonymous, type Callers } from '../access/access.ts'
import { isOpen } from '../access/index.ts'
import type { MetaWriter } from '../contract/envelope.ts'
import { usesStores } from '../discovery/pointers.ts'
import type { Format } from '../format/index.ts'
import { SurfaceError } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { compileFormat, compileLanguage, createMemo, isRoom } from './choose.ts'
import { compileDeadline, withDeadline, type Bound } from './deadline.ts'
import { described } from './described.ts'
import { parseQuery } from './dispatch.ts'
import type { FailureResponder } from './failure.ts'
import { compileGate, countAnonymous } from './gate.ts'
import { compileHeads } from './head.ts'
import type { ContentSource, PlanInput, Result } from './kind.ts'
import { compileInput, invalidIn } from './read.ts'
import { andThen, type Answer, type MaybePromise, type PlanRequest, type Tracer } from './request.ts'
import { compileStream } from './stream.ts'
import { compileIgnored, compileRefusal } from './undeclared.ts'
import { answerPrepared, compileBody, compilePresenter, type PreparedAnswer } from './write.ts'

/** The executable form of a surface. `answer` never throws and never rejects. */
export type Plan = Readonly<{ surface: Surface; usesStores: boolean; answer: AnswerRequest }>

type AnswerRequest = (request: PlanRequest) => MaybePromise<Answer>

export type PlanContext = Readonly<{
  registry: Registry
  meta: MetaWriter
  links: (path: string) => string
  failure: FailureResponder
  onFault: (error: unknown, requestId: string) => void
  callers: Callers<string> | undefined
  loadedAt: string
  watch: Tracer
  inSnapshot: InSnapshot | undefined
  sourceOf: (surface: Surface) => Source
}>

type Source = ContentSource<PlanRequest>
type Live = Extract<Source, { when: 'live' }>
type Pure = Exclude<Source, Live>

function tracedSource(surface: Surface, source: Source, watch: Tracer): Source {
  const answer = watch.stage(surface, 'content', source.answer)
  const watched = { ...source, answer } as Source
  return watched.when === 'live' && watched.version !== undefined
    ? { ...watched, version: watch.stage(surface, 'version', watched.version) }
    : watched
}

/** Answers of a live source are cached only if it has a version and the surface does not identify its callers. */
function compileAnswer(steps: Steps, source: Source, inSnapshot?: InSnapshot): AnswerRequest {
  if (source.when !== 'live') return compilePure(steps, source)
  return source.version === undefined || !isOpen(steps.surface.access)
    ? compileLive(steps, source)
    : compileVersioned(steps, source.version, source.answer, inSnapshot)
}

/**
 * The gate of a surface whose only access kind is `public`: the caller is anonymous, also for a request from a surface
 * that has identified it.
 */
const admitAnyone = (request: PlanRequest): PlanRequest =>
  countAnonymous(request.caller === anonymous ? request : { ...request, caller: anonymous })

export function compilePlan(
  surface: Surface,
  { registry, meta, links, failure, onFault, callers, watch, loadedAt, inSnapshot, sourceOf }: PlanContext
): Plan {
  const bound = compileDeadline(surface, onFault)
  const source = withDeadline(sourceOf(surface), bound)
  const headsOf = compileHeads(surface, registry, links)
  const { prepare, once } = compilePresenter(headsOf)
  const stream = compileStream(surface, headsOf, failure)
  const answer = compileAnswer(
    {
      surface,
      readInput:
        source.when === 'pure' && source.ignoresInput === true
          ? compileNoInput(surface)
          : watch.stage(surface, 'input', compileInput(surface, registry.service.base_url)),
      formatOf: watch.stage(surface, 'format', compileFormat(surface)),
      languageOf: watch.stage(surface, 'language', compileLanguage(surface, registry.service)),
      write: watch.stage(surface, 'body', compileBody(surface, registry, meta)),
      presenter: { prepare: watch.stage(surface, 'head', prepare), once: watch.stage(surface, 'head', once) },
      stream: watch.stage(surface, 'head', stream),
      loadedAt,
      bound
    },
    tracedSource(surface, source, watch),
    inSnapshot
  )
  const gate: (request: PlanRequest) => MaybePromise<PlanRequest> = isOpen(surface.access)
    ? admitAnyone
    : compileGate(surface, registry.service, callers)
  const admit = watch.stage(surface, 'access', (request: PlanRequest) => bound(gate(request), request))
  // A failure after the gate shows the limit of the caller that the gate has found.
  const safely =
    (work: AnswerRequest): AnswerRequest =>
    request => {
      const failed = (error: unknown): Answer => failure.ofError(error, request, surface)
      try {
        const answered = work(request)
        return answered instanceof Promise ? answered.catch(failed) : answered
      } catch (error) {
        return failed(error)
      }
    }
  const answerAdmitted = safely(answer)
  const answerSafely = safely(request => andThen(admit(request), answerAdmitted))
  return { surface, usesStores: usesStores(surface), answer: withIgnored(surface, answerSafely) }
}

/**
 * Adds the names of undeclared parameters to the answers to requests from outside. What is kept of an answer does not
 * have them.
 */
function withIgnored(surface: Surface, answer: AnswerRequest): AnswerRequest {
  const ignored = compileIgnored(surface)
  if (ignored === undefined) return answer
  return request => {
    if (request.search === '' || request.depth !== undefined) return answer(request)
    const field = ignored(request.search)
    return field === ''
      ? answer(request)
      : andThen(answer(request), answered => ({ ...answered, head: answered.head + field }))
  }
}

/** The compiled steps from a request, admitted by the gate, to its answer. */
export type Steps = Readonly<{
  surface: Surface
  readInput: (request: PlanRequest) => MaybePromise<PlanInput>
  formatOf: ReturnType<typeof compileFormat>
  languageOf: ReturnType<typeof compileLanguage>
  write: ReturnType<typeof compileBody>
  presenter: ReturnType<typeof compilePresenter>
  stream: ReturnType<typeof compileStream>
  /** When the plans were compiled (ISO 8601): the `as_of` of answers of pure and slow sources. */
  loadedAt: string
  bound: Bound
}>

const withLanguage = (input: PlanInput, language: string | undefined): PlanInput =>
  language === undefined ? input : { ...input, language }

const noInput: PlanInput = { params: {}, query: {}, body: undefined }

function compileLive(
  { surface, readInput, formatOf, languageOf, write, presenter, stream }: Steps,
  { answer, refused }: Live
): AnswerRequest {
  const send = (result: Result, format: Format, request: PlanRequest): MaybePromise<Answer> =>
    result.stream === undefined
      ? presenter.once(result, write(result, request, format), request)
      : stream(result, result.stream, format, request)
  const answerTo = (input: PlanInput, request: PlanRequest): MaybePromise<Answer> => {
    const format = formatOf(input.query.format, request)
    const language = languageOf(input.query.lang, request, format)
    return andThen(answer(withLanguage(input, language), request), result =>
      send(described(surface, result, language, input), format, request)
    )
  }
  if (refused === undefined) return request => andThen(readInput(request), input => answerTo(input, request))
  return async request => {
    let input: PlanInput
    try {
      input = await readInput(request)
    } catch (error) {
      const result = error instanceof SurfaceError ? refused(error, request) : undefined
      if (result === undefined) throw error
      return await send(result, formatOf(undefined, request), request)
    }
    return await answerTo(input, request)
  }
}

/** Returns the `readInput` of a source that ignores its input: it only refuses parameters that the surface refuses. */
function compileNoInput(surface: Surface): Steps['readInput'] {
  const refuse = compileRefusal(surface)
  return ({ search }) => {
    if (search === '') return noInput
    const parsed = parseQuery(search)
    if (parsed.ok) refuse(parsed.values)
    else if (surface.strict === true) throw invalidIn('query', parsed.message)
    return noInput
  }
}

/** Returns the values of the request headers named in `Vary`: they are part of the cache key (RFC 9111 §4.1). */
const variantOf = ({ vary }: PreparedAnswer, { headers }: PlanRequest): string =>
  vary.length === 0 ? '' : vary.map(name => `\n${String(headers[name] ?? '')}`).join('')

function createCache(methods: readonly string[], isDaily = false) {
  const memo = createMemo<PreparedAnswer>()
  return {
    ...memo,
    /** Returns the cache key of an answer. `query` has only declared parameters. */
    keyOf: ({ path, method, time }: PlanRequest, query: PlanInput['query'], format: Format, language = ''): string =>
      // If a surface has several methods, the headers depend on the method.
      `${path}?${query === noInput.query ? '{}' : JSON.stringify(query)}\n${format} ${language}${isDaily ? time.slice(0, 10) : ''}${methods.length > 1 ? method : ''}`,
    send(request: PlanRequest, key: string, prepared: PreparedAnswer, isCached: boolean): MaybePromise<Answer> {
      const bytesBefore = prepared.bytes()
      // The answer is cached before it is compressed, so that concurrent requests find it.
      if (!isCached) memo.set(key, prepared, bytesBefore)
      return andThen(answerPrepared(prepared, request), answer => {
        // The first request for a content coding adds bytes to the prepared answer. If it was evicted meanwhile, it is
        // not cached again.
        if (prepared.bytes() > bytesBefore && memo.get(key) === prepared) memo.set(key, prepared, prepared.bytes())
        return answer
      })
    }
  }
}

/** Compiles the answers of a pure or slow source, which are cached; one of many only from its second request on. */
export function compilePure(
  { surface, readInput, formatOf, languageOf, write, presenter, loadedAt, bound }: Steps,
  source: Pure
): AnswerRequest {
  const { methods, placeholders } = surface.route
  const cache = createCache(methods, source.when === 'pure' && source.daily)
  const pending = new Map<string, Promise<PreparedAnswer>>()
  /** Makes an answer of a slow source. It may be large, so other requests are answered between the steps. */
  const prepareSlowly = async (
    content: Promise<Result>,
    request: PlanRequest,
    format: Format
  ): Promise<PreparedAnswer> => {
    const result = await content
    await nextTurn()
    const text = write(result, request, format, loadedAt)
    await nextTurn()
    return presenter.prepare(result, text, request.path, request.method)
  }
  /** Prepares an answer once; concurrent requests for the same key share it. */
  const shareSlow = async (
    key: string,
    request: PlanRequest,
    prepare: () => Promise<PreparedAnswer>
  ): Promise<Answer> => {
    const shared =
      pending.get(key) ??
      prepare().finally(() => {
        pending.delete(key)
      })
    pending.set(key, shared)
    const prepared = await bound(shared, request)
    return await cache.send(request, key, prepared, cache.get(key) === prepared)
  }
  return request => {
    const read = (): PlanInput => {
      const input = readInput(request)
      if (input instanceof Promise) throw new Error(`${surface.id} cannot read a body.`)
      return input
    }
    // Without a query, the cache is looked up before the input is read: the path was checked when the answer was made.
    const early = request.search === '' ? undefined : read()
    const { query } = early ?? noInput
    const format = formatOf(query.format, request)
    const language = languageOf(query.lang, request, format)
    const key = cache.keyOf(request, query, format, language)
    const found = cache.get(key)
    if (found !== undefined) return cache.send(request, key, found, true)
    const input = early ?? read()
    if (source.when === 'slow')
      return shareSlow(key, request, () => prepareSlowly(source.answer(input), request, format))
    const result = described(surface, source.answer(withLanguage(input, language), request), language, input)
    const text = write(result, request, format, loadedAt)
    // Answers with placeholders or a query are numerous, and crawlers request most of them once.
    const isOneOfMany = placeholders.length > 0 || Object.keys(query).length > 0
    if (isOneOfMany && !cache.wasAsked(key)) return presenter.once(result, text, request)
    return cache.send(request, key, presenter.prepare(result, text, request.path, request.method), false)
  }
}

/**
 * Runs `work` so that everything that it reads from the database is of one moment. Returns undefined, without running
 * it, while too many snapshots are open.
 */
export type InSnapshot = <T>(work: () => Promise<T>) => Promise<T> | undefined

/**
 * Compiles the answers of a live source with a version: they are cached while the version is the same. With
 * `inSnapshot`, an answer is made in one snapshot with its version, because successive reads may come from different
 * database servers.
 */
export function compileVersioned(
  { surface, readInput, formatOf, languageOf, write, presenter, bound }: Steps,
  version: NonNullable<Live['version']>,
  answer: Live['answer'],
  inSnapshot?: InSnapshot
): AnswerRequest {
  const cache = createCache(surface.route.methods)
  let latest: string | undefined
  /**
   * Returns the current version, and clears the cache if it has changed: answers of an earlier version are useless, and
   * may contain data that was deleted since.
   */
  const versionOf = async (now: Date): Promise<string> => {
    const current = await version(now)
    if (current !== latest) cache.clear()
    latest = current
    return current
  }
  return async request => {
    const input = await readInput(request)
    const format = formatOf(input.query.format, request)
    const language = languageOf(input.query.lang, request, format)
    const ask = async (): Promise<Result> =>
      described(surface, await answer(withLanguage(input, language), request), language, input)
    const once = (result: Result): MaybePromise<Answer> =>
      presenter.once(result, write(result, request, format), request)
    const asked = cache.keyOf(request, input.query, format, language)
    // Crawlers request each answer only once, so the answer to a first request is not cached.
    if (!cache.wasAsked(asked)) return once(await ask())
    const known = `${await bound(versionOf(request.now), request)} ${asked}`
    const any = cache.get(known)
    const found = any === undefined || any.vary.length === 0 ? any : cache.get(known + variantOf(any, request))
    if (found !== undefined) return cache.send(request, known + variantOf(found, request), found, true)
    // Without snapshots the version is read before the answer. An answer newer than its version is harmless, but an
    // older one would stay in the cache.
    const make = async (key: string) => ({ key, result: await ask() })
    const inOne = async () => await make(`${await bound(versionOf(request.now), request)} ${asked}`)
    const made = !isRoom() ? undefined : inSnapshot === undefined ? make(known) : inSnapshot(inOne)
    if (made === undefined) return once(await ask())
    const { key, result } = await made
    // A redirect to another spelling has the whole query of its request, and the key has only what is declared.
    if (result.status === 308) return once(result)
    const prepared = presenter.prepare(result, write(result, request, format), request.path, request.method)
    if (prepared.vary.length > 0 && cache.get(key) === undefined) cache.set(key, prepared, prepared.bytes())
    return cache.send(request, key + variantOf(prepared, request), prepared, false)
  }
}
