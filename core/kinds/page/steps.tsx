import type { VNode } from 'preact'
import { isObject, type JsonValue } from '../../canonical/json.ts'
import type { Typed } from '../../format/filled-form.ts'
import { fill, placeholdersIn, type Language } from '../../vocabulary/language.ts'
import type { PageContent } from '../../handler/page.ts'
import type { SecondStep } from './manifest.ts'

/** Returns the texts of the second steps of a form, by name, so that a language can have them. */
export const textsOfSteps = (steps: readonly SecondStep[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    steps.flatMap(({ title, says, button }, at) =>
      Object.entries({ title, says, button }).map(([name, text]) => [`confirm_${at}_${name}`, text])
    )
  )

/** Returns the texts of each field of a form. */
export const typedIn = (form: JsonValue): Typed =>
  new Map(Object.entries(isObject(form) ? form : {}).map(([name, value]) => [name, [value].flat().map(String)]))

/** The fields that the framework adds to a form with a second step; `about` is what the step may name. */
export const stepFields = {
  confirmed: { const: 'yes', description: 'That what will happen was read.' },
  about: { type: 'string', maxLength: 300, description: 'What it is about, in words that the second step shows.' }
}

/** Returns the second step of what a form was sent with, unless none fits. */
export const stepOf = (steps: readonly SecondStep[], typed: Typed): SecondStep | undefined =>
  steps.find(({ when = {} }) => Object.entries(when).every(([name, value]) => typed.get(name)?.join() === value))

/** The names that a step puts values in place of, or looks at. */
export const namesOfStep = ({ when = {}, title, says, reason }: SecondStep): readonly string[] => [
  ...new Set([...Object.keys(when), ...placeholdersIn(title + says), ...(reason === true ? ['reason'] : [])])
]

type Given = Readonly<{
  step: SecondStep
  /** What the form was sent with, without what only the framework reads. */
  typed: Typed
  params: Readonly<Record<string, string | number | boolean>>
  /** The path that the form is sent to. */
  path: string
  /** The path of the page of the form. */
  back: string
  token: string
  language: Language
}>

const Kept = ({ typed, without }: Readonly<{ typed: Typed; without: string | undefined }>): VNode => (
  <>
    {[...typed]
      .filter(([name]) => name !== without)
      .flatMap(([name, values]) => values.map(value => <input type="hidden" name={name} value={value} />))}
  </>
)

/** Asks whether what a form was sent with shall be done, with what will happen. */
export function confirmContent({ step, typed, params, path, back, token, language }: Given): PageContent {
  const { textOf, say } = language
  const named = Object.fromEntries(
    namesOfStep(step).map(name => [name, String(params[name] ?? typed.get(name)?.join(', ') ?? '')])
  )
  return {
    title: fill(textOf(step.title), named),
    main: (
      <>
        <p class="lead">{fill(textOf(step.says), named)}</p>
        <form method="post" action={path} class="own harm">
          {token !== '' && <input type="hidden" name="token" value={token} />}
          <input type="hidden" name="confirmed" value="yes" />
          <Kept typed={typed} without={step.reason === true ? 'reason' : undefined} />
          {step.reason === true && (
            <>
              <label for="reason">{say('Reason')}</label>
              <textarea id="reason" name="reason" required minLength={3} maxLength={300} rows={3}></textarea>
            </>
          )}
          <button type="submit">{textOf(step.button)}</button>
        </form>
        <p>
          <a href={back}>{say('No, go back')}</a>
        </p>
      </>
    )
  }
}
