import type { JsonValue } from 'pantry/data'
import { parseSku } from '../cards/sku.ts'
import type { Mapped, MappedRow, Rejected } from './reading/map-row.ts'
import { Uses, type Unused } from './reading/uses.ts'
import { sameValues, Signs, type Doubts } from './signs.ts'
import { beyondLatin } from './reading/files.ts'
import type { FieldMap, SourceReader } from './source.ts'

/** The statistics of a declared field after a dry run. */
type FieldStatistics = Readonly<{
  field: string
  filled: number
  rows: number
  distinct: number
  isConstant: boolean
  values: ReadonlySet<string>
}>

const fewRows = 5

/** What the characters 0x80 to 0xBF of UTF-8 look like when they are read as Windows-1252. */
const continued = `[\u0080-\u00BF${beyondLatin}]`

const signs: readonly (readonly [what: string, sign: RegExp])[] = [
  ['has entities: `unescape` makes characters of them', /&(?:[a-z]{2,8}|#[0-9]{2,6}|#x[0-9a-f]{2,6});/i],
  ['looks like markup', /<[a-z/!]|\[\/?[bi]\]|\*\*|\{[a-z0-9]+\}/i],
  ['looks like amounts of money', /^[0-9]+[.,][0-9]{1,2}$/],
  ['has line breaks or several blanks: `trim` makes one of them', / {2}|\n/],
  ['has the character U+FFFD, which stands for one that was lost', /\ufffd/],
  // UTF-8 that was read as Windows-1252: `é` as `Ã©`, `’` as `â€™`, `カ` as `ã‚«`.
  ['was encoded twice', new RegExp(`[ÂÃ]${continued}|â€|ã[\u0081-\u0083‚ƒ]`)]
]
/** Fields that hold words; if they hold only numbers, the map probably names the wrong field. */
const wordFields = new Set(['name', 'set_name', 'illustrators'])

/** Returns a part of a text as a JSON string: the match of `sign` with 15 characters on each side. */
function shown(text: string, sign: RegExp): string {
  const around = 15
  const match = sign.exec(text)
  const at = match?.index ?? 0
  const [from, to] = [Math.max(0, at - around), at + (match?.[0].length ?? 0) + around]
  return JSON.stringify(`${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`)
}

/**
 * Returns a reason why the map of a field may be wrong, or null. It is only a hint: an upstream may leave a field empty
 * or use one value throughout.
 */
export function doubtOf({ field, filled, rows, distinct, isConstant, values }: FieldStatistics): string | null {
  if (rows === 0) return null
  if (filled === 0) return 'no row has it'
  const some = [...values]
  if (field === 'name' && distinct * 100 < filled) return 'fewer names than one for a hundred rows'
  if (wordFields.has(field) && some.every(value => /^[0-9 .,-]+$/.test(value))) return 'numbers alone'
  // Values with an average of over 80 characters are probably rules texts.
  if (
    field !== 'native_id' &&
    some.length >= fewRows &&
    some.reduce((sum, { length }) => sum + length, 0) / some.length > 80 &&
    !field.includes('translations') &&
    !field.startsWith('attributes.types')
  )
    return 'long texts'
  if (field !== 'native_id' && field !== 'number') {
    for (const [what, form] of signs) {
      const at = some.findIndex(value => form.test(value))
      if (at >= 0) return `${what}, as in ${shown(some[at] ?? '', form)}`
    }
  }
  return distinct === 1 && filled === rows && rows >= fewRows && !isConstant ? 'all rows have the same' : null
}

/**
 * Statistics on a declared field over the mapped rows: how many have a value, how many distinct values (up to
 * `maxValues`), up to three samples, and a `doubt` that says what looks wrong.
 */
type FieldFill = Readonly<{
  field: string
  filled: number
  share: number
  distinct: number
  samples: readonly string[]
  doubt: string | null
}>

/** Statistics on the rows of a source, which a dry run shows. */
export type Survey = Readonly<{
  files: number
  rows: number
  /** The number of rows that `only_with` excludes. */
  passed_over: number
  /** How often a loop had no members, so that a row was lost, by the name of the loop. */
  lost: readonly Readonly<{ loop: string; rows: number }>[]
  mapped: number
  fields: readonly FieldFill[]
  /** Parts of the declaration that matched nothing in the files. */
  unused: readonly Unused[]
  /** The first rows as they would be stored. */
  examples: readonly Readonly<{ native_id: string; sku: string; row: MappedRow }>[]
}>

const maxExamples = 3
/** The most distinct values that are counted per field; there may be more. */
export const maxValues = 50_000

type Kept = (mapped: Mapped) => unknown

/** How the stored value of a declared field is read; by default from the row's field of the same name. */
const keptAs: Readonly<Record<string, Kept>> = {
  native_id: ({ nativeId }) => nativeId,
  number: ({ row }) => row.card_number,
  sku_number: ({ sku }) => parseSku(sku)?.number,
  set_name: ({ row }) => row.set.name,
  set_name_translations: ({ row }) => row.set.name_translations,
  released_on: ({ row }) => row.set.released_on,
  declared_total: ({ row }) => row.set.declared_total,
  faces: ({ row }) => row.faces?.map(({ side, name }) => name ?? side)
}

const isConstant = (expression: unknown): boolean =>
  (typeof expression === 'object' && expression !== null && 'const' in expression) ||
  (typeof expression === 'string' && expression.startsWith('file.'))

class Fill {
  filled = 0
  readonly values = new Set<string>()
  readonly field: string
  readonly isConstant: boolean
  private readonly samples: string[] = []
  private readonly read: Kept

  constructor(field: string, expression: unknown, read: Kept) {
    this.field = field
    this.isConstant = isConstant(expression)
    this.read = read
  }

  see(mapped: Mapped): void {
    const value = this.read(mapped)
    if (value === null || value === undefined || value === '') return
    this.filled++
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (this.values.has(text) || this.values.size >= maxValues) return
    this.values.add(text)
    if (this.samples.length < maxExamples) this.samples.push(text)
  }

  result(rows: number, others: readonly Doubts[]): FieldFill {
    const {
      field,
      filled,
      samples,
      values: { size: distinct }
    } = this
    const own = doubtOf({ field, filled, rows, distinct, isConstant: this.isConstant, values: this.values })
    const doubts = [own, ...others.map(doubts => doubts.get(field))].filter(doubt => typeof doubt === 'string')
    return {
      field,
      filled,
      share: rows === 0 ? 0 : filled / rows,
      distinct,
      samples,
      doubt: doubts.length === 0 ? null : doubts.join('; ')
    }
  }
}

/**
 * Returns a `Fill` for each declared field except `name_lang`, in the order of the declaration, with the attributes
 * last.
 */
const fillsOf = ({ attributes = {}, ...map }: FieldMap): readonly Fill[] => [
  ...Object.entries(map)
    .filter(([name]) => name !== 'name_lang')
    .map(
      ([name, expression]) =>
        new Fill(name, expression, keptAs[name] ?? (({ row }) => (row as Readonly<Record<string, unknown>>)[name]))
    ),
  ...Object.entries(attributes).map(
    ([name, expression]) =>
      new Fill(`attributes.${name}`, expression, ({ row }): JsonValue | undefined => row.attributes?.[name])
  )
]

/** Collects statistics on the rows of one import while they are read. */
export class Surveyor {
  /** Remembers which parts of the reader were of use. */
  readonly uses = new Uses()
  private readonly reader: SourceReader
  private readonly signs = new Signs()
  private readonly paths = new Set<string>()
  private readonly fills: readonly Fill[]
  private readonly lost = new Map<string, number>()
  private readonly examples: Survey['examples'][number][] = []
  private rows = 0
  private mapped = 0
  private passedOver = 0

  constructor(reader: SourceReader) {
    this.reader = reader
    this.fills = fillsOf(reader.map)
  }

  passOver(path: string): void {
    this.paths.add(path)
    this.passedOver++
  }

  lose(loop: string): void {
    this.lost.set(loop, (this.lost.get(loop) ?? 0) + 1)
  }

  see(mapped: Mapped | Rejected, path: string): void {
    this.paths.add(path)
    this.rows++
    if ('reason' in mapped) return
    this.mapped++
    const { nativeId, sku, row } = mapped
    if (this.examples.length < maxExamples) this.examples.push({ native_id: nativeId, sku, row })
    for (const fill of this.fills) fill.see(mapped)
    this.signs.see(mapped)
  }

  result(): Survey {
    const others = [this.signs.result(), sameValues(this.fills.filter(({ isConstant }) => !isConstant))]
    const lost = [...this.lost].map(([loop, rows]) => ({ loop, rows }))
    return {
      files: this.paths.size,
      rows: this.rows,
      passed_over: this.passedOver,
      lost,
      mapped: this.mapped,
      fields: this.fills.map(fill => fill.result(this.mapped, others)),
      unused: this.uses.unused(this.reader),
      examples: this.examples
    }
  }
}
