import { closed, Count, invalid, NullableText, nullable, Text, Type, type DataOf } from 'pantry/data'
import { Boundary } from '../cards/card-answers.ts'
import { canonicalCode } from '../cards/sku.ts'
import { foundBody, foundMembers, searchBoundary } from '../cards/search/find-cards.ts'
import type { FoundCard } from '../cards/search/number-index.ts'
import { formIds, lineFields, tableForms, textForms, type FormId } from './forms.ts'
import type { MatchScope } from './line-rows.ts'
import type { ListLine } from './list-text.ts'
import { certainties, type Certainty } from './match-lines.ts'
import { matchList } from './match-list.ts'
import { mostMistaken } from './near-lines.ts'
import { readList } from './read-list.ts'
import { writeList } from './write-list.ts'

/** The most lines of a list, and characters of its text. */
export const mostLines = 500
export const mostCharacters = 100_000

/** A list as a file. Some browsers report CSV files as `application/vnd.ms-excel`. */
export const pastedFile = {
  types: ['text/plain', 'text/csv', 'application/vnd.ms-excel'],
  limitBytes: mostCharacters,
  description: `The list as a file, instead of \`text\`; at most ${mostLines} lines.`
}

/** Whether a file says by its type that it is a table. */
export const isTableFile = (file: Readonly<{ type: string }> | undefined): boolean =>
  file !== undefined && file.type !== 'text/plain'

const formTitles = [...textForms, ...tableForms].map(({ id, title }) => `\`${id}\` (${title})`).join(', ')

/** The fields of a request that a list is read by. */
export const listRequest = {
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: mostCharacters,
      description:
        'The list as it was copied: lines of text, or a table (CSV) with its first line. Not needed with a file.'
    })
  ),
  game: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Token or slug of the game. Without it, cards of all games are found.'
    })
  ),
  table: Type.Optional(
    Type.Boolean({
      description:
        'Whether the list is a table (CSV), which is never read as lines. Without it, a file says so by its type, and a text by its first line.'
    })
  ),
  lang: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      maxLength: 35,
      description: 'Language of the cards (BCP 47) in lines that say none.'
    })
  ),
  write: Type.Optional(
    Type.Enum(formIds, { description: `The form in which the list is written again: ${formTitles}.` })
  )
}

const Card = closed(foundMembers)
const statements = Object.fromEntries(lineFields.map(field => [field, NullableText])) as Record<
  (typeof lineFields)[number],
  typeof NullableText
>

/** `unread`: the line is no line of a list, and `problem` says why. */
const outcomes = [...(Object.keys(certainties) as readonly Certainty[]), 'unread'] as const

const meanings = Object.entries(certainties)
  .map(([certainty, meaning]) => `\`${certainty}\`: ${meaning}`)
  .join('; ')

export const PastedList = closed({
  '@kind': Type.Literal('card-list'),
  form: nullable(Type.Enum(formIds), 'The form that most lines have.'),
  columns_left_out: Type.Array(Text, {
    description:
      'The columns of a table that were not read, such as prices, pictures and notes. Nothing of them is kept.'
  }),
  limit: Count,
  returned: Count,
  counts: closed(
    Object.fromEntries(outcomes.map(outcome => [outcome, Count])) as Record<(typeof outcomes)[number], typeof Count>
  ),
  lines: Type.Array(
    closed({
      line: Type.Integer({
        minimum: 1,
        description: 'Its number, from 1; of a table the row, without the first line, which names the columns.'
      }),
      text: Type.String({ description: 'The line; of a table what was read of it, as text.' }),
      form: nullable(Type.Enum(formIds), 'The form that was seen.'),
      count: nullable(Count, 'How many of the card.'),
      stated: nullable(closed(statements), 'What the line says of the card. Null is what it does not say.'),
      certainty: Type.Enum(outcomes, {
        description: `How sure it is which card is meant. ${meanings}; \`unread\`: no line of a list.`
      }),
      problem: nullable(Text, 'Why the line is unread.'),
      card: nullable(
        Card,
        'The card that is meant: a card of which the line says more than others, where it is `likely`.'
      ),
      nearest: Type.Array(Card, { maxItems: 3, description: 'Other cards that may be meant, the nearest first.' })
    })
  ),
  nearest_left_out: Type.Array(Count, {
    description: `The lines without a card for which the nearest cards were not looked for: they are looked for by the first ${mostMistaken} different names of such lines.`
  }),
  written: nullable(
    closed({
      form: Type.Enum(formIds),
      file_name: Text,
      media_type: Text,
      text: Type.String({ description: 'The file. What a line does not say is taken from its card.' }),
      left_out: Type.Array(Count, { description: 'The lines that the form has no place for.' })
    }),
    'The list in the form of `write`.'
  ),
  publication_boundary: Boundary
})
type Answer = DataOf<typeof PastedList>

/** Returns a line with what is known of its card where the line does not say it. */
const completed = (line: ListLine, card: FoundCard | undefined, form: FormId): ListLine =>
  card === undefined
    ? line
    : {
        ...line,
        sku: form === 'table' ? card.sku : null,
        name: line.name ?? card.name,
        set: line.set ?? canonicalCode(card.set_code),
        number: line.set === null ? card.card_number : (line.number ?? card.card_number),
        language: line.language ?? card.lang
      }

/**
 * Reads a list, finds the card of each line, and writes it again in a form. Returns the answer with the cards that are
 * in it. Throws for a text without lines or with too many.
 */
export async function answerList(
  { text, isTable, field }: Readonly<{ text: string; isTable: boolean; field: string }>,
  write: FormId | undefined,
  scope: MatchScope
): Promise<Readonly<{ answer: Answer; cards: readonly FoundCard[] }>> {
  const { form, lines, leftOut } = readList(text, { isTable, field, most: mostLines })
  if (lines.length === 0) throw invalid(field, `\`${field}\` has no line that says anything.`)
  if (lines.length > mostLines)
    throw invalid(
      field,
      `Line ${lines[mostLines]?.line ?? mostLines + 1} is one too many: give at most ${mostLines} lines at once.`
    )
  const matched = await matchList(lines, scope)
  const answered = matched.map(({ line, match }): Answer['lines'][number] => {
    const common = { line: line.line, text: line.text, card: null, nearest: [], problem: null }
    if (match === undefined)
      return { ...common, form: null, count: null, stated: null, certainty: 'unread', problem: line.problem }
    const { certainty, card, nearest } = match
    return {
      ...common,
      form: line.form,
      count: line.count,
      stated: Object.fromEntries(lineFields.map(field => [field, line[field]])) as Record<
        (typeof lineFields)[number],
        string | null
      >,
      certainty,
      card: card === undefined ? null : foundBody(card),
      nearest: nearest
        .filter(one => one !== card)
        .slice(0, 3)
        .map(foundBody)
    }
  })
  return {
    cards: matched.flatMap(({ match }) => match?.nearest ?? []),
    answer: {
      '@kind': 'card-list',
      form,
      columns_left_out: [...leftOut],
      limit: mostLines,
      returned: answered.length,
      counts: Object.fromEntries(
        outcomes.map(outcome => [outcome, answered.filter(({ certainty }) => certainty === outcome).length])
      ) as Answer['counts'],
      lines: answered,
      nearest_left_out: matched.flatMap(({ line, match }) => (match?.isSought === false ? [line.line] : [])),
      written:
        write === undefined
          ? null
          : (({ left_out: left, ...file }) => ({ ...file, left_out: [...left] }))(
              writeList(
                write,
                matched.flatMap(({ line, match }) => (match === undefined ? [] : [completed(line, match.card, write)]))
              )
            ),
      publication_boundary: searchBoundary
    }
  }
}
