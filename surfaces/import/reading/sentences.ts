import type { Mapped } from './map-row.ts'

/** At least four words that end like a sentence, or a Chinese or Japanese full stop anywhere. */
const sentence = /^(?:\S+\s+){3}.*(?:[\p{Ll}\p{Lo}]{2}|[0-9])\.["”’)\]]*$|。/u

/**
 * A single name may look like a sentence. If more than 1 in 20 texts of a field do, and at least 3, the field holds
 * rules text; the minimum keeps a few rows from deciding it.
 */
const fewest = 3
const share = 1 / 20

/** Counts for one field, and for the fields nested in it. */
class Seen {
  texts = 0
  rows = 0
  first = ''
  readonly within = new Map<string, Seen>()

  of(name: string): Seen {
    let seen = this.within.get(name)
    if (seen === undefined) this.within.set(name, (seen = new Seen()))
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
    if (this.rows >= fewest && this.rows > this.texts * share) yield { field, rows: this.rows, first: this.first }
    for (const [name, seen] of this.within) yield* seen.suspicious(field === '' ? name : `${field}.${name}`)
  }
}

/** A field that holds prose: the number of texts that are sentences, and the native id of the first row with one. */
export type Prose = Readonly<{ field: string; rows: number; first: string }>

/**
 * Finds fields that hold rules texts or other prose by the share of their texts that are sentences; the name of the
 * field does not matter.
 */
export class Sentences {
  private readonly seen = new Seen()

  see({ nativeId, row }: Mapped): void {
    for (const name in row) if (name !== 'set') this.seen.of(name).look(row[name as keyof typeof row], nativeId)
    this.seen.of('set_name').look(row.set.name, nativeId)
    this.seen.of('set_name_translations').look(row.set.name_translations, nativeId)
  }

  result(): readonly Prose[] {
    return [...this.seen.suspicious('')]
  }
}
