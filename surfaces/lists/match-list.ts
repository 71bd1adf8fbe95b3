import type { FoundCard } from '../cards/search/number-index.ts'
import { nameKey } from '../cards/search/fold-name.ts'
import { hasCells, heldBack, isHeldBack } from './held-back.ts'
import { textForms } from './forms.ts'
import type { MatchScope } from './line-rows.ts'
import type { ListLine, UnreadLine } from './list-text.ts'
import { matchLines, namesIn, type LineMatch } from './match-lines.ts'

/** A line with what it means, or one that is not read. */
type MatchedLine = Readonly<{ line: ListLine; match: LineMatch }> | Readonly<{ line: UnreadLine; match?: undefined }>

const isRead = (line: ListLine | UnreadLine): line is ListLine => line.count !== undefined

const isNameOf = (name: string, { name: own, name_en: english }: FoundCard): boolean =>
  [own, english].some(one => one !== null && namesIn(one).includes(nameKey(name)))

/** Whether a line may say what may not be told again. The name of a card that is held may, as `$100 Bill` does. */
function isDoubtful({ form, sku, name, number, set, set_name: setName, finish }: ListLine, match: LineMatch): boolean {
  const isText = textForms.some(({ id }) => id === form)
  // A name with digits may have been read as a number.
  const called = name ?? number
  const isHeld = called !== null && match.nearest.some(card => isNameOf(called, card))
  return [sku, set, setName, finish, name === null ? null : number, isHeld ? null : called].some(
    value => value !== null && (isHeldBack(value) || (isText && hasCells(value)))
  )
}

/**
 * Finds the card that each line means. A line that may have a price or a link is returned as one that is not read, and
 * nothing of it is told.
 */
export async function matchList(
  lines: readonly (ListLine | UnreadLine)[],
  scope: MatchScope
): Promise<readonly MatchedLine[]> {
  const read = lines.filter(isRead)
  const matches = new Map((await matchLines(read, scope)).map((match, at) => [read[at], match]))
  return lines.map((line): MatchedLine => {
    if (!isRead(line)) return { line }
    const match = matches.get(line) ?? { certainty: 'none', card: undefined, nearest: [] }
    return isDoubtful(line, match)
      ? { line: { line: line.line, text: `Line ${line.line}`, problem: heldBack } }
      : { line, match }
  })
}
