import type { EntryProblem } from 'pantry/data'
import { DataError } from '../data-error.ts'
import { exceptedForms } from '../source.ts'
import type { WithheldValue } from './kept-values.ts'
import type { Mapped } from './map-row.ts'
import { shown } from './odd-attributes.ts'

type Pointer = EntryProblem['pointer']

/**
 * Values of one field that look like something that is never stored (such as a price): the number of rows, and the
 * first of them.
 */
export type LookAlike = Readonly<{
  field: string
  form: WithheldValue['form']
  rows: number
  first: readonly Readonly<{ row: string; value: string }>[]
}>

/**
 * In up to 1 % of the rows, the value of a field may look like one form, such as a price, by chance, as some names do;
 * when more do, the declaration is wrong.
 */
const maxShare = 1 / 100
const maxShown = 20

const count = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`

type Found = { field: string; form: WithheldValue['form']; rows: number; first: { row: string; value: string }[] }

/**
 * Collects values that look like something that is never stored, by field and form, so that all problems of a source
 * are reported together.
 */
export class LookAlikes {
  private readonly found = new Map<string, Found>()
  private rows = 0

  /** Counts a row and records its withheld value, if it has one. A row without an id is named by its position. */
  see(nativeId: string, withheld: WithheldValue | undefined): void {
    this.rows++
    if (withheld === undefined) return
    const { field, form, value } = withheld
    const key = `${form} ${field}`
    const one = this.found.get(key) ?? { field, form, rows: 0, first: [] }
    this.found.set(key, one)
    one.rows++
    if (one.first.length < maxShown)
      one.first.push({ row: nativeId === '' ? `row ${this.rows}` : nativeId, value: shown(value) })
  }

  /**
   * Returns the findings in at most 1 % of the rows (only those rows are left out) and those in more (the declaration
   * is wrong).
   */
  result(): Readonly<{ few: readonly LookAlike[]; many: readonly LookAlike[]; rows: number }> {
    const all = [...this.found.values()]
    const isFew = ({ rows }: Found): boolean => rows <= this.rows * maxShare
    return { few: all.filter(isFew), many: all.filter(one => !isFew(one)), rows: this.rows }
  }
}

const exceptable: readonly string[] = exceptedForms.map(form => `a ${form}`)

const problemOf = ({ field, form, rows, first: [first] }: LookAlike, all: number, pointer: Pointer): EntryProblem => ({
  pointer,
  message: `\`${field}\` holds ${form} in ${rows} of ${count(all)}${first === undefined ? '' : `, first \`${first.value}\` in \`${first.row}\``}.`,
  hint: exceptable.includes(form)
    ? `None is kept: map another field. Where these are none, declare an exception of the reader: \`exceptions: [{ field: ${field}, form: ${form.slice(2)}, reason: … }]\`.`
    : 'Pictures, rules texts and markup are never kept: map another field, or take a part out with `pattern`.'
})

export const proseProblem = ({ field, rows, first }: Prose, pointer: Pointer): EntryProblem => ({
  pointer,
  message: `\`${field}\` holds sentences in ${count(rows)}, first in \`${first}\`.`,
  hint: 'Pictures, rules texts and markup are never kept: map another field, or take a part out with `pattern`.'
})

/**
 * Throws a DataError for findings in more than 1 % of the rows and for `others`; returns the findings in fewer rows.
 */
export function checkLookAlikes(
  found: LookAlikes,
  place: (field: string) => Pointer,
  others: readonly EntryProblem[] = []
): readonly LookAlike[] {
  const { few, many, rows } = found.result()
  const problems = [...many.map(one => problemOf(one, rows, place(one.field))), ...others]
  if (problems.length > 0) throw new DataError(problems)
  return few
}

/** At least four words that end like a sentence, or a Chinese or Japanese full stop anywhere. */
const sentence = /^(?:\S+\s+){3}.*(?:[\p{Ll}\p{Lo}]{2}|[0-9])\.["”’)\]]*$|。/u

/**
 * A single name may look like a sentence. If more than 1 in 20 texts of a field look like one, and at least 3 do, the
 * field holds rules text; the minimum keeps a few rows from deciding it.
 */
const minSentences = 3
const share = 1 / 20

/** Counts for one field, and for the fields nested in it. */
class SentenceCounter {
  texts = 0
  rows = 0
  first = ''
  readonly within = new Map<string, SentenceCounter>()

  of(name: string): SentenceCounter {
    let seen = this.within.get(name)
    if (seen === undefined) this.within.set(name, (seen = new SentenceCounter()))
    return seen
  }

  look(value: unknown, nativeId: string): void {
    if (typeof value === 'string') {
      this.texts++
      if ((!value.includes('.') && !value.includes('。')) || !sentence.test(value)) return
      if (this.rows++ === 0) this.first = nativeId
    } else if (Array.isArray(value)) {
      for (const item of value) this.look(item, nativeId)
    } else if (value !== null && typeof value === 'object') {
      // There may be a million rows with many members each, so this loop allocates no lists of names.
      for (const name in value) this.of(name).look((value as Readonly<Record<string, unknown>>)[name], nativeId)
    }
  }

  *suspicious(field: string): Generator<Prose> {
    if (this.rows >= minSentences && this.rows > this.texts * share) yield { field, rows: this.rows, first: this.first }
    for (const [name, seen] of this.within) yield* seen.suspicious(field === '' ? name : `${field}.${name}`)
  }
}

/** A field that holds prose: the number of texts that are sentences, and the native id of the first row with one. */
type Prose = Readonly<{ field: string; rows: number; first: string }>

/**
 * Finds fields that hold rules texts or other prose by the share of their texts that are sentences; the name of the
 * field does not matter.
 */
export class Sentences {
  private readonly seen = new SentenceCounter()

  see({ nativeId, row }: Mapped): void {
    for (const name in row) if (name !== 'set') this.seen.of(name).look(row[name as keyof typeof row], nativeId)
    this.seen.of('set_name').look(row.set.name, nativeId)
    this.seen.of('set_name_translations').look(row.set.name_translations, nativeId)
  }

  result(): readonly Prose[] {
    return [...this.seen.suspicious('')]
  }
}
