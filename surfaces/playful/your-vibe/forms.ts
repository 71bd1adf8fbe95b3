import type { PathTo } from 'pantry/data'

/** The kinds of `Accept` headers that are distinguished here. */
export const wantedForms = ['nothing', 'anything', 'json', 'page', 'text', 'other'] as const
type WantedForm = (typeof wantedForms)[number]

/** Returns the kind of an `Accept` header. */
export function wantedForm(accept: string): WantedForm {
  const wanted = accept.toLowerCase()
  if (wanted === '') return 'nothing'
  if (wanted.includes('text/html')) return 'page'
  if (wanted.includes('json')) return 'json'
  if (wanted.includes('text/')) return 'text'
  return wanted.includes('*/*') ? 'anything' : 'other'
}

const onAccept = {
  nothing: 'You did not say in which form you would like the answer, so you get the first one: JSON.',
  anything: 'Any form will do for you, which is generous. You get the first one: JSON.',
  json: 'You asked for JSON, and JSON it is.',
  page: 'You asked for a page. There is none of this; the same as plain prose is at {text-mode}?path={today}, to begin with.',
  text: 'You asked for text, and this surface has it.',
  other: 'You asked for a form that this surface does not have, so you get the first one: JSON.'
} as const satisfies Readonly<Record<WantedForm, string>>

/** Returns the sentence about the requested form. */
export const formWords = (form: WantedForm, pathTo: PathTo): string =>
  onAccept[form].replace('{text-mode}', pathTo('text-mode')).replace('{today}', pathTo('playful/today'))
