import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Format } from '../format/index.ts'
import { createMemo, isRoom } from './memo.ts'
import { answerPrepared, type PreparedAnswer } from './present.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { PlanInput, Result, ContentSource } from './result.ts'
import type { AnswerRequest, Steps } from './steps.ts'

type Pure = Extract<ContentSource<PlanRequest>, { when: 'pure' | 'slow' }>
type Live = Extract<ContentSource<PlanRequest>, { when: 'live' }>

export const noInput: PlanInput = { params: {}, query: {}, body: undefined }

/**
 * The values of the request headers that an answer says it depends on: as in any HTTP cache, they are a part of its key
 * (RFC 9111 §4.1).
 */
const variantOf = ({ vary }: PreparedAnswer, { headers }: PlanRequest): string =>
  vary.length === 0 ? '' : vary.map(name => `\n${String(headers[name] ?? '')}`).join('')

/** Answers of one surface that are kept. */
function createKept(methods: readonly string[], isDaily = false) {
  const kept = createMemo<PreparedAnswer>()
  return {
    get: kept.get,
    set: (key: string, prepared: PreparedAnswer): void => {
      kept.set(key, prepared, prepared.bytes())
    },
    wasAsked: kept.wasAsked,
    clear: kept.clear,
    /** Only what a prepared answer may depend on: undeclared values are not in it. */
    keyOf: ({ path, method, time }: PlanRequest, query: PlanInput['query'], format: Format, language = ''): string =>
      // Headers depend on the method, where a surface has more than one.
      `${path}?${query === noInput.query ? '{}' : JSON.stringify(query)}\n${format} ${language}${isDaily ? time.slice(0, 10) : ''}${methods.length > 1 ? method : ''}`,
    /** Sends an answer and keeps it; `before`: as it is kept already. */
    send(
      request: PlanRequest,
      key: string,
      prepared: PreparedAnswer,
      before: PreparedAnswer | undefined
    ): Answer | Promise<Answer> {
      // It is kept before it is compressed, so that who asks meanwhile finds it.
      if (before === undefined) kept.set(key, prepared, prepared.bytes())
      const bytesBefore = prepared.bytes()
      // The first request for a coding makes its bytes, which count from then on; what was forgotten stays so.
      const counted = (answer: Answer): Answer => {
        if (prepared.bytes() > bytesBefore && kept.get(key) === prepared) kept.set(key, prepared, prepared.bytes())
        return answer
      }
      const sent = answerPrepared(prepared, request)
      return sent instanceof Promise ? sent.then(counted) : counted(sent)
    }
  }
}

/** Of a source whose content follows from the input alone. */
export function compilePure(
  { surface, readInput, formatOf, languageOf, write, presenter, loadedAt }: Steps,
  source: Pure
): AnswerRequest {
  const { methods, placeholders } = surface.route
  const kept = createKept(methods, source.when === 'pure' && source.daily)
  const making = new Map<string, Promise<PreparedAnswer>>()
  /** What takes long to make is large: others have their turn between its steps. */
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
  /** All who ask while it is being made share it. */
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
    // Without a query there is nothing to read before a kept answer is found: its path was checked when it was made.
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
    // One of many, of which most are asked for once: by a crawler, or by who tries what there is.
    const isOneOfMany = placeholders.length > 0 || Object.keys(query).length > 0
    if (isOneOfMany && !kept.wasAsked(key)) return presenter.once(result, text, request)
    return kept.send(request, key, presenter.prepare(result, text, request.path, request.method), undefined)
  }
}

/** Of a live source whose answers stay the same for as long as the version of what they follow from does. */
export function compileVersioned(
  { surface, readInput, formatOf, languageOf, write, presenter }: Steps,
  version: NonNullable<Live['version']>,
  answer: Live['answer']
): AnswerRequest {
  const kept = createKept(surface.route.methods)
  let latest: string | undefined
  return async request => {
    const input = await readInput(request)
    const format = formatOf(input.query.format, request)
    const language = languageOf(input.query.lang, request)
    const ask = async (): Promise<Result> =>
      await answer(language === undefined ? input : { ...input, language }, request)
    const once = (result: Result): Answer | Promise<Answer> =>
      presenter.once(result, write(result, request, format), request)
    const asked = kept.keyOf(request, input.query, format, language)
    // A crawler asks once: its answers take no place.
    if (!kept.wasAsked(asked)) return once(await ask())
    // The version comes before the answer: an answer that is newer than its version is harmless, an older one would
    // stay.
    const current = await version(request.now)
    // What was made of an earlier state is of no use, and it may be of a source that was forgotten.
    if (current !== latest) kept.clear()
    latest = current
    const key = `${current} ${asked}`
    const any = kept.get(key)
    const found = any === undefined || any.vary.length === 0 ? any : kept.get(key + variantOf(any, request))
    if (found !== undefined) return kept.send(request, key + variantOf(found, request), found, found)
    const result = await ask()
    if (!isRoom()) return once(result)
    const prepared = presenter.prepare(result, write(result, request, format), request.path, request.method)
    if (any === undefined && prepared.vary.length > 0) kept.set(key, prepared)
    return kept.send(request, key + variantOf(prepared, request), prepared, undefined)
  }
}
