import type { VNode } from 'preact'
import { isObject, type JsonValue } from '../../canonical/json.ts'
import type { Typed } from '../../format/filled-form.ts'
import { fill, type Language } from '../../vocabulary/language.ts'
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

/** Returns the second step of what a form was sent with, unless none fits. */
export const stepOf = (steps: readonly SecondStep[], form: JsonValue): SecondStep | undefined =>
  steps.find(({ when = {} }) =>
    Object.entries(when).every(([name, value]) => typedIn(form).get(name)?.join() === value)
  )

type Given = Readonly<{
  step: SecondStep
  form: JsonValue
  params: Readonly<Record<string, string | number | boolean>>
  /** The path that the form is sent to. */
  path: string
  /** The path of the page of the form. */
  back: string
  token: string
  language: Language
}>

const Kept = ({ form, without }: Readonly<{ form: JsonValue; without: string | undefined }>): VNode => (
  <>
    {[...typedIn(form)]
      .filter(([name]) => name !== without)
      .flatMap(([name, values]) => values.map(value => <input type="hidden" name={name} value={value} />))}
  </>
)

/** Asks whether what a form was sent with shall be done, with what will happen. */
export function confirmContent({ step, form, params, path, back, token, language }: Given): PageContent {
  const { textOf, say } = language
  return {
    title: fill(textOf(step.title), params as Record<string, string | number>),
    main: (
      <>
        <p class="lead">{fill(textOf(step.says), params as Record<string, string | number>)}</p>
        <form method="post" action={path} class="own harm">
          {token !== '' && <input type="hidden" name="token" value={token} />}
          <input type="hidden" name="confirmed" value="yes" />
          <Kept form={form} without={step.reason === true ? 'reason' : undefined} />
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
