/** What is kept of one value of an upstream: texts with declared exceptions, attributes, and release dates. */
import type { EntryProblem, JsonValue } from 'pantry/data'
import { formOf, type Attribute } from '../../cards/attributes.ts'
import { isCalendarDate } from '../../common/calendar.ts'
import type { Exception } from '../source.ts'
import { isBareNumber, isDecimal, isOrdinary, isProductNumber, withheldByForm, type Form } from '../withheld.ts'

/** Returns the form that an exception allows, as it is written in messages. */
export const exceptedForm = ({ form }: Exception): Form => `a ${form}`

/**
 * The exceptions of a field are a problem when they allow more than 3 different values and more than half of its
 * values: the field then holds prices or links, whatever was declared.
 */
const maxDistinct = 3
const maxShare = 1 / 2

/** The exceptions for one field, with counts of the values they allowed. */
class FieldExceptions {
  readonly forms = new Set<Form>()
  readonly places: number[] = []
  private seen = 0
  private let = 0
  private readonly different = new Set<string>()

  /** Returns what a text looks like if it must not be stored and no exception allows it; `undefined` otherwise. */
  look(text: string, isId: boolean): Form | undefined {
    this.seen++
    const isLike = withheldByForm(text, { isId }) !== undefined || isDecimal(text)
    const left = isLike ? withheldByForm(text, { excepted: this.forms, isId }) : undefined
    if (!isLike || left !== undefined) return left
    this.let++
    if (this.different.size <= maxDistinct) this.different.add(text)
    return undefined
  }

  problems(field: string): EntryProblem[] {
    if (this.different.size <= maxDistinct || this.let <= this.seen * maxShare) return []
    return this.places.map(place => ({
      pointer: ['reader', 'exceptions', place],
      message: `${this.let} of ${this.seen} values of \`${field}\` are let through by exceptions, so what the upstream has there are prices or links.`,
      hint: 'An exception is for few values among many: map another field.'
    }))
  }
}

/**
 * The exceptions that a source declares: fields whose values may look like something that is never stored. Counts the
 * values that they allow.
 */
export class Exceptions {
  private readonly fields = new Map<string, FieldExceptions>()

  constructor(declared: readonly Exception[] = []) {
    for (const [place, exception] of declared.entries()) {
      const found = this.fields.get(exception.field) ?? new FieldExceptions()
      this.fields.set(exception.field, found)
      found.forms.add(exceptedForm(exception))
      found.places.push(place)
    }
  }

  /**
   * Returns the exceptions of a field, or of the field that contains it, such as `name_translations` for
   * `name_translations.en`.
   */
  of(field: string): FieldExceptions | undefined {
    return this.fields.size === 0 ? undefined : (this.fields.get(field) ?? this.fields.get(field.split('.')[0] ?? ''))
  }

  problems(): readonly EntryProblem[] {
    return [...this.fields].flatMap(([field, one]) => one.problems(field))
  }
}

/** The longest text of an upstream that is stored, in characters; rules texts and descriptions are longer. */
const maxTextLength = 200

/** A value that must not be stored: its field, what it looks like (such as a price), and the value. */
export type WithheldValue = Readonly<{ field: string; form: Form; value: string }>

/** An error that says why a row is left out, with the field of the map that caused it, such as `attributes.cost`. */
export class RowProblem extends Error {
  readonly field: string
  /** The value that must not be stored, when that is the reason. If many rows have one, the declaration is wrong. */
  readonly withheld: WithheldValue | undefined

  constructor(field: string, message: string, withheld?: WithheldValue) {
    super(message)
    this.field = field
    this.withheld = withheld
  }
}

/** Functions that check the texts of a row; each gets the name of the field and its value. */
export type Keep = Readonly<
  Record<'text' | 'word', (field: string, value: JsonValue) => string | null> & {
    needed: (field: string, value: JsonValue) => string
  }
>

/** How the number of a variant is told from a product number. */
const wayOut = ' To keep it as a variant, join it with a word: `join: [{ const: v }, …]`.'

/** Returns the functions that check texts, with the exceptions that a source declares. */
export function keepTexts(exceptions: Exceptions): Keep {
  /**
   * Trims a text of a row and returns it otherwise unchanged; null for a blank text, a list or an object. Throws for
   * what cannot be a field of a card: a link, a picture, a price, markup, a text over `maxTextLength`, a control
   * character, or a character that changes the text direction.
   */
  const text: Keep['text'] = (field, value) => {
    if (value === null || typeof value === 'object') return null
    const result = String(value).trim()
    if (result === '') return null
    const excepted = exceptions.of(field)
    if (excepted === undefined && isOrdinary(result)) return result
    const isId = field === 'native_id'
    const form = excepted === undefined ? withheldByForm(result, { isId }) : excepted.look(result, isId)
    if (form !== undefined) throw new RowProblem(field, `\`${field}\` holds ${form}.`, { field, form, value: result })
    if (result.length > maxTextLength)
      throw new RowProblem(field, `\`${field}\` is longer than ${maxTextLength} characters.`)
    if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u.test(result) || !result.isWellFormed())
      throw new RowProblem(field, `\`${field}\` holds a character that is no text.`)
    return result
  }
  return {
    text,
    /**
     * Like `text`, for a word or a name: also throws for a product number, and without an exception for prices for any
     * decimal number, because it may be an amount.
     */
    word: (field, value) => {
      const kept = text(field, value)
      if (kept === null) return null
      const isNumber = exceptions.of(field)?.forms.has('a price') === true ? isProductNumber(kept) : isBareNumber(kept)
      if (isNumber) throw new RowProblem(field, `\`${field}\` is a bare number.${field === 'variant' ? wayOut : ''}`)
      return kept
    },
    /** Like `text`, for a required field: also throws when the value is missing. */
    needed: (field, value) => {
      const result = text(field, value)
      if (result === null) throw new RowProblem(field, `\`${field}\` is missing.`)
      return result
    }
  }
}

const wholeNumber = /^(?:0|-?[1-9][0-9]{0,14})$/

/**
 * Converts a value to the declared type where nothing is lost: a text that is a whole number becomes a number if the
 * type `integer` is allowed, and duplicates are removed from a list.
 */
export function typedValue(value: JsonValue, { types }: Attribute): JsonValue {
  if (typeof value === 'string') return types.includes('integer') && wholeNumber.test(value) ? Number(value) : value
  if (!Array.isArray(value) || value.length < 2) return value
  const members = value as readonly JsonValue[]
  const once = new Set(members)
  return once.size === members.length ? members : [...once]
}

/** The longest text of an attribute without a `longest` of its own. */
const maxAttributeLength = 60

/**
 * Returns what is wrong with one text or whole number of an attribute, as the end of a sentence. Texts that are never
 * stored were refused before.
 */
function memberProblem(
  value: JsonValue,
  { least = 0, most, form, longest = maxAttributeLength, values }: Attribute
): string | undefined {
  if (values !== undefined) return values.some(known => known === value) ? undefined : `be one of ${values.join(', ')}`
  if (typeof value === 'number')
    return value < least || (most !== undefined && value > most)
      ? `lie between ${least} and ${most ?? 'any number'}`
      : undefined
  if (typeof value !== 'string') return undefined
  if (value.length > longest) return `have at most ${longest} characters`
  return (form === undefined ? !isBareNumber(value) : formOf(form).test(value))
    ? undefined
    : form === undefined
      ? 'be no bare number'
      : 'have the form that is declared for it'
}

/** The most members remembered as valid, since many cards share the same values. */
const maxRemembered = 10_000

/**
 * Returns a function that says why a value is not valid for the attribute of a card of a game, or `undefined` when it
 * is valid. Null is valid: the source does not know the value.
 */
export function attributeChecker(attribute: Attribute): (value: JsonValue, game: string) => string | undefined {
  const { name, types, games } = attribute
  const known = new Set<JsonValue>()
  const problemOf = (member: JsonValue): string | undefined => {
    if (known.has(member)) return undefined
    const problem = memberProblem(member, attribute)
    if (problem === undefined && known.size < maxRemembered) known.add(member)
    return problem === undefined ? undefined : `\`attributes.${name}\` must ${problem}.`
  }
  return (value, game) => {
    if (value === null) return undefined
    if (games?.includes(game) === false) return `\`attributes.${name}\` is no attribute of \`${game}\`.`
    const type = Array.isArray(value)
      ? 'list'
      : typeof value === 'string'
        ? 'text'
        : Number.isInteger(value)
          ? 'integer'
          : undefined
    if (type === undefined || !types.includes(type))
      return `\`attributes.${name}\` must be of the type ${types.join(' or ')}.`
    if (!Array.isArray(value)) return problemOf(value)
    for (const member of value as readonly JsonValue[]) {
      const problem = problemOf(member)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

type ReleaseDate = Readonly<{
  /** The date of the release (ISO 8601), or null. */
  on: string | null
  /** The text of the upstream when it is no date, otherwise null. */
  note: string | null
}>

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const time = '(?:[T ].*)?'

/**
 * The accepted forms of dates. Only the first two may be followed by a time of day. `13/05/2024` is not accepted,
 * because day and month can be swapped; a declaration states their order with `format`.
 */
const forms: readonly RegExp[] = [
  new RegExp(`^(?<year>[0-9]{4})(?<separator>[-/.])(?<month>[0-9]{1,2})\\k<separator>(?<day>[0-9]{1,2})${time}$`, 'u'),
  new RegExp(`^(?<year>[0-9]{4})(?<month>[0-9]{2})(?<day>[0-9]{2})${time}$`, 'u'),
  /^(?<year>[0-9]{4})\s?年\s?(?<month>[0-9]{1,2})\s?月\s?(?<day>[0-9]{1,2})\s?日$/u,
  /^(?<day>[0-9]{1,2})\.\s?(?<month>[0-9]{1,2})\.\s?(?<year>[0-9]{4})$/u,
  /^(?<name>[a-z]{3,9})\.? (?<day>[0-9]{1,2})(?:st|nd|rd|th)?,? (?<year>[0-9]{4})$/iu,
  /^(?<day>[0-9]{1,2})(?:st|nd|rd|th)?\.? (?<name>[a-z]{3,9})\.?,? (?<year>[0-9]{4})$/iu
]

/**
 * Returns the month as a number, given a number, an English name or its first three letters; '0' when the name is
 * unknown.
 */
const monthOf = (number: string | undefined, name = ''): string =>
  number ?? String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1)

/**
 * Parses a date that an upstream wrote in one of `forms`. Any other text, a day that does not exist, and a year before
 * 1001 are returned as a note.
 */
export function releaseDate(value: JsonValue): ReleaseDate {
  if (value === null || typeof value === 'object') return { on: null, note: null }
  const text = String(value).trim()
  if (text === '') return { on: null, note: null }
  const {
    year = '',
    month,
    name,
    day = ''
  } = forms.map(form => form.exec(text)?.groups).find(groups => groups !== undefined) ?? {}
  const on = [year, monthOf(month, name).padStart(2, '0'), day.padStart(2, '0')].join('-')
  return isCalendarDate(on) && year > '1000' ? { on, note: null } : { on: null, note: text }
}
