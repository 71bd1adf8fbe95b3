import { AsyncLocalStorage } from 'node:async_hooks'
import type { Surface } from '../core/manifest/surface.ts'
import type { PlanRequest } from '../core/plan/request.ts'
import type { PlanInput, Result } from '../core/plan/result.ts'
import type { Stage, Watch } from '../core/plan/watch.ts'

/** A stage that a request passed. `depth`: how many surfaces asked each other before; `ms` has what is in it too. */
export type Passed = { surface: Surface; stage: Stage; depth: number; ms: number; decided: string }

const mostLetters = 100
const shortened = (text: string): string => (text.length <= mostLetters ? text : `${text.slice(0, mostLetters)}…`)

const said = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ')

/** What each stage decided, in words. */
const words: { readonly [Name in Stage]: (outcome: never) => string } = {
  access: ({ caller }: PlanRequest) =>
    `lets in ${caller.credential === undefined ? 'anyone' : `who has a ${caller.credential}`}`,
  input: ({ params, query, body, bytes }: PlanInput) =>
    said({ ...params, ...query, body, bytes: bytes?.length }) || 'nothing is asked for',
  format: (format: string) => format,
  language: (language: string | undefined) => language ?? 'its content is in one language',
  version: (version: string) => version,
  content: ({ status, error, list, file }: Result) =>
    [
      `status ${status}`,
      error === undefined ? '' : `${error.code}: ${error.message}`,
      list === undefined ? '' : `${list.entries.length} entries of ${list.corpus.title}`,
      file === undefined ? '' : file.mediaType
    ]
      .filter(part => part !== '')
      .join(', '),
  body: ({ mediaType }: { mediaType: string }) => mediaType,
  head: ({ status, head }: { status: number; head: string }) =>
    [
      `status ${status}`,
      ...head.split('\r\n').filter(line => /^(?:etag|cache-control|vary|content-encoding):/i.test(line))
    ].join('; ')
}

const refusal = (error: unknown): string =>
  error instanceof Error ? `refused: ${'code' in error ? `${String(error.code)}: ` : ''}${error.message}` : 'refused'

/** Sees the stages of one request, in the order in which they begin. */
export function createTracer(): Readonly<{ watch: Watch; passed: readonly Passed[] }> {
  const passed: Passed[] = []
  const depths = new AsyncLocalStorage<number>()
  const watch: Watch =
    (surface, stage, run) =>
    (...given) => {
      const depth = depths.getStore() ?? 0
      const one: Passed = { surface, stage, depth, ms: 0, decided: '' }
      passed.push(one)
      const began = performance.now()
      const note = (decided: string): void => {
        one.ms = performance.now() - began
        one.decided = shortened(decided)
      }
      const settled = <Outcome>(outcome: Outcome): Outcome => {
        note(words[stage](outcome as never))
        return outcome
      }
      const failed = (error: unknown): never => {
        note(refusal(error))
        throw error
      }
      try {
        const outcome = depths.run(depth + 1, () => run(...given))
        return outcome instanceof Promise ? (outcome.then(settled, failed) as typeof outcome) : settled(outcome)
      } catch (error) {
        return failed(error)
      }
    }
  return { watch, passed }
}
