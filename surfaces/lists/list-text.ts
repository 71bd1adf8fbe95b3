/** A line of a list as text: how it is read, and how each form of text writes it. */
import { hasCells, heldBack, isHeldBack } from './held-back.ts'
import { sectionOf, type FormId, type LineField, type Section } from './forms.ts'

/** A line that names a card. Null is what it does not say. */
export type ListLine = Readonly<
  { line: number; text: string; form: FormId; count: number } & Record<LineField, string | null>
>

/** A line that is no card; `problem` says why. */
export type UnreadLine = Readonly<{ line: number; text: string; problem: string; count?: undefined }>

/** Maximum length of a line in characters; a longer one is no card. */
const maxLineLength = 200
/** Maximum length of the words for a card. */
export const maxCardLength = 160
/** Maximum count in one line; a larger one is probably a typing error. */
export const maxCount = 999

const nothing: Readonly<Record<LineField, null>> = {
  sku: null,
  name: null,
  set: null,
  set_name: null,
  number: null,
  finish: null,
  language: null,
  condition: null,
  section: null
}

/** Matches `2 OP01-001`, `2x OP01-001`, `2xOP01-001`, `OP01-001 x2` or `OP01-001`, and `SB:` before them. */
const counted = [
  // Simulators write no space before a number of letters and digits.
  /^(?<count>\d{1,4})[x×](?<card>\p{L}+-?\d.*)$/iu,
  /^(?<count>\d{1,4})\s*[x×]?\s+(?<card>\S.*)$/iu,
  /^(?<card>\S.*?)\s+[x×]\s*(?<count>\d{1,4})$/iu,
  /^(?<card>\S.*)$/u
]

const setCode = /^(?=.*[A-Z0-9])[A-Z0-9][A-Z0-9_]{1,7}$/
/** A number with its set, such as `OP11-041`, `P-096` or `EB03-053_p1`. */
const numberWithSet = /^\p{L}{1,6}\d{0,4}[-_]\p{L}{0,3}\d+\w*$/u
/** A text with a digit that is a number, alone or behind the code of its set: `041`, `OP01 001`, `4a`. */
const numberAlone = /^(?:\S*\d\S*|\p{L}{1,6}\d{0,4} \d+\S*)$/u
const skuLike = /^[a-z0-9]+-[^\s-]+-[^\s-]+-[a-z]{2,3}(?:-\S+)?$/i

const marked = /^(?<rest>.+?)(?: \*(?<finish>[FE])\*)?(?: \[(?<language>[a-z]{2,3}(?:-[a-z0-9]{2,8})*)\])?$/u
const finishes = { F: 'foil', E: 'etched' } as const

type Card = Readonly<Partial<Record<LineField, string>>>

const inSet = (set: string): Card => (setCode.test(set) ? { set } : { set_name: set })

/** Reads what is left of a line without its count: the card, with the form that it has. */
function readCard(card: string): Readonly<{ form: FormId; card: Card }> {
  const behind = /^(?:(?<name>.+) )?\((?<set>[^()]{2,60})\) (?<number>\S*\d\S*)$/u.exec(card)?.groups
  if (behind !== undefined) {
    const { name, set = '', number = '' } = behind
    const isArena = name !== undefined && setCode.test(set)
    return {
      form: isArena ? 'arena' : 'text',
      card: { ...(name === undefined ? {} : { name }), ...inSet(set), number }
    }
  }
  const { name, inside = '' } = /^(?<name>.+) \((?<inside>[^()]{1,60})\)$/u.exec(card)?.groups ?? {}
  if (name !== undefined) {
    const number = /^#(\S+)$/.exec(inside)?.[1] ?? (numberWithSet.test(inside) ? inside : undefined)
    return { form: 'text', card: { name, ...(number === undefined ? inSet(inside) : { number }) } }
  }
  const live = /^(?<name>.+) (?<set>(?=\d*[A-Z])[A-Z0-9]{2,5}(?:-[A-Z]{2,4})?) (?<number>\S*\d\S*)(?: PH)?$/u
  const { groups } = live.exec(card) ?? {}
  if (groups !== undefined) return { form: 'pokemon-live', card: { ...groups } }
  if (skuLike.test(card)) return { form: 'text', card: { sku: card } }
  return { form: 'text', card: numberAlone.test(card) ? { number: card } : { name: card } }
}

/** Returns a line that is no card. What may not be told again is left out. */
const unread = (line: number, text: string, problem: string): UnreadLine =>
  isHeldBack(text) || hasCells(text) ? { line, text: `Line ${line}`, problem: heldBack } : { line, text, problem }

/** Reads a line that is neither empty nor a heading. */
export function readLine(raw: string, line: number, section: Section | null): ListLine | UnreadLine {
  const text = raw.trim()
  // The length is checked before the regular expressions, because they take quadratic time.
  if (text.length > maxLineLength)
    return { line, text: `Line ${line}`, problem: `A line has at most ${maxLineLength} characters.` }
  const isSide = /^sb:\s*/i.exec(text)?.[0] ?? ''
  const groups = counted.map(form => form.exec(text.slice(isSide.length))?.groups).find(found => found !== undefined)
  const [count, said] = [Number(groups?.['count'] ?? 1), groups?.['card']?.trim() ?? '']
  if (said === '') return unread(line, text, 'It names no card.')
  if (said.length > maxCardLength) return unread(line, text, `A card has at most ${maxCardLength} characters.`)
  if (count < 1 || count > maxCount) return unread(line, text, `The count is from 1 to ${maxCount}.`)
  const { rest = said, finish, language = null } = marked.exec(said)?.groups ?? {}
  const { form, card } = readCard(rest)
  return {
    ...nothing,
    ...card,
    line,
    text,
    form: /^\d{1,4}[x×]\S+$/i.test(text) && card.number !== undefined ? 'simulator' : form,
    count,
    finish: finish === undefined ? null : finishes[finish as 'F' | 'E'],
    language,
    section: isSide === '' ? section : 'sideboard'
  }
}

/** Returns a line of text for a row of a table: all of its fields that `readLine` reads, and no other. */
export function textOf(line: Readonly<{ count: number } & Record<LineField, string | null>>): string {
  const { count, sku, name, set, set_name: setName, number, finish, language } = line
  const place = set ?? setName
  const card =
    sku ??
    [
      ...(name === null ? [] : [name]),
      ...(place === null ? [] : [`(${place})`]),
      ...(number === null
        ? []
        : place === null && name !== null
          ? [numberWithSet.test(number) ? `(${number})` : `(#${number})`]
          : [number])
    ].join(' ')
  const mark = finish === 'etched' ? ' *E*' : finish === null || finish === 'normal' ? '' : ' *F*'
  return `${count} ${card}${mark}${language === null ? '' : ` [${language}]`}`
}

const withoutSign = (text: string): string => text.replace(/^(?:\/\/|#)\s*/, '')

const maxHeadingLength = 40

/** Returns the section of a heading such as `Sideboard`, `// Sideboard`, `Event (8)` or `Trainer: 15`. */
export const headingOf = (raw: string): Section | undefined =>
  raw.length > maxHeadingLength
    ? undefined
    : sectionOf(withoutSign(raw.trim()).replace(/\s*(?::\s*\d*|\(\d+\)):?$/, ''))

/** Whether a line says nothing of a card: it is empty, a comment, or what programs write beside the cards. */
export const isAside = (raw: string): boolean => /^\s*(?:$|#|\/\/|about$|total cards: \d+$|name \S.*$)/i.test(raw)

/** Returns the line as a form of text writes it; undefined where the form has no place for what it says. */
export const writeText: Readonly<
  Record<'simulator' | 'arena' | 'pokemon-live' | 'text', (line: ListLine) => string | undefined>
> = {
  simulator: ({ count, number }) => (number === null || /\s/.test(number) ? undefined : `${count}x${number}`),
  arena: ({ count, name, set, number }) =>
    name === null
      ? undefined
      : `${count} ${name}${set === null || number === null ? '' : ` (${set.toUpperCase()}) ${number}`}`,
  'pokemon-live': ({ count, name, set, number }) =>
    name === null || set === null || number === null ? undefined : `${count} ${name} ${set.toUpperCase()} ${number}`,
  text: textOf
}
