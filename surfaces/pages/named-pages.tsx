import { NullableText, Type, type DataOf } from 'pantry/data'
import type { VNode } from 'pantry/page'

/** What a page reads of how much a search by name found. */
export const ShownPages = Type.Object({
  matches: Type.Array(Type.Unknown()),
  summary: Type.Object({ found: Type.Integer(), complete: Type.Boolean() }),
  next: NullableText
})

/** Matches on one page, as its manifest asks for them. */
const shownAtOnce = 40

type Given = Readonly<{ of: DataOf<typeof ShownPages>; asked: Readonly<{ q: string; game: string }>; offset: number }>

/** What a search by name found in all, and the pages beside the one at `offset`. */
export function NamedPages({
  of: {
    matches,
    summary: { found, complete },
    next
  },
  asked: { q, game },
  offset
}: Given): VNode {
  const pageAt = (start: number): string =>
    `?${String(new URLSearchParams({ q, ...(game === '' ? {} : { game }), ...(start === 0 ? {} : { offset: String(start) }) }))}`
  const shown = matches.length === 0 ? 'None' : `${offset + 1} to ${offset + matches.length}`
  return (
    <>
      {found > 0 && (
        <p class="note">
          {shown} of {found.toLocaleString('en')} numbers with such a name
          {complete ? '' : ' or more: write more of it, or choose a game'}.
        </p>
      )}
      {(offset > 0 || next !== null) && (
        <nav aria-label="Pages">
          {offset > 0 && (
            <a rel="prev" href={pageAt(Math.max(0, offset - shownAtOnce))}>
              Page before
            </a>
          )}
          {offset > 0 && next !== null && ' · '}
          {next !== null && (
            <a rel="next" href={pageAt(offset + shownAtOnce)}>
              Next page
            </a>
          )}
        </nav>
      )}
    </>
  )
}
