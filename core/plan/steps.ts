import type { Surface } from '../manifest/surface.ts'
import type { compileBody } from './body.ts'
import type { compileFormat } from './format.ts'
import type { compileLanguage } from './language.ts'
import type { compilePresenter } from './present.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { PlanInput, Result, ContentSource } from './result.ts'

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
export type AnswerRequest = (request: PlanRequest) => Answer | Promise<Answer>

type Live = Extract<ContentSource<PlanRequest>, { when: 'live' }>

/** Compiles the answers of a live source: its content is made for each request. */
export function compileLive(
  { readInput, formatOf, languageOf, write, presenter }: Steps,
  { answer }: Live
): AnswerRequest {
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
