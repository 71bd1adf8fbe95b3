import type { Mapped } from './map-row.ts'

/** Four words or more that end as a sentence does; a full stop of Chinese or Japanese anywhere. */
const sentence = /^(?:\S+\s+){3}.*(?:[\p{Ll}\p{Lo}]{2}|[0-9])\.["”’)\]]*$|。/u

/**
 * A name may be a sentence; that one in twenty is makes a field that of a rules text. So many are needed, so that few
 * rows prove nothing.
 */
const fewest = 3
const share = 1 / 20

/** What was seen of one field, and of those in it. */
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
      // A million rows have many members each: no lists and no names are made for them.
      for (const name in value) this.of(name).look((value as Readonly<Record<string, unknown>>)[name], nativeId)
    }
  }

  *suspicious(field: string): Generator<Prose> {
    if (this.rows >= fewest && this.rows > this.texts * share) yield { field, rows: this.rows, first: this.first }
    for (const [name, seen] of this.within) yield* seen.suspicious(field === '' ? name : `${field}.${name}`)
  }
}

/** A field that holds prose: in how many rows, and the native id of the first. */
export type Prose = Readonly<{ field: string; rows: number; first: string }>

/**
 * Tells fields that hold rules texts or other prose by how many of their texts are sentences, whatever the upstream
 * calls them.
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
