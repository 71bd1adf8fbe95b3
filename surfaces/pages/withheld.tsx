import type { VNode } from 'pantry/page'
import { spoken } from './words.ts'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

const sentence = (boundary: Readonly<Record<string, string>>): string => {
  const names = Object.keys(boundary)
    .filter(name => name !== 'note')
    .map(spoken)
  const text = list.format(names)
  return `Withheld here: ${text}.`
}

/** A note on what is not published here. `reason` is the explanation of the API. */
export const Withheld = ({
  boundary,
  reason
}: Readonly<{ boundary: Readonly<Record<string, string>>; reason?: string | undefined }>): VNode => (
  <aside class="withheld" aria-label="What is withheld">
    <p>
      <strong>{sentence(boundary)}</strong>
    </p>
    <p>
      {reason ??
        boundary['note'] ??
        'No source gave the right to publish them, so none is stored, and none is shown to anyone.'}{' '}
      <a href="/sources">What each source allows</a>
    </p>
  </aside>
)
