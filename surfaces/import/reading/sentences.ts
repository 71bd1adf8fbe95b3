import type { Mapped } from './map-row.ts'

/** Four words or more that end as a sentence does; a full stop of Chinese or Japanese anywhere. */
const sentence = /^(?:\S+\s+){3}.*(?:[\p{Ll}\p{Lo}]{2}|[0-9])\.["”’)\]]*$|。/u

/** A name may be a sentence; that one in twenty is makes a field that of a rules text. So many are needed, so that few rows prove nothing. */
const fewest = 3
const share = 1 / 20

type Seen = { texts: number, rows: number, first: string }

/** Tells fields that hold rules texts or other prose by how many of their texts are sentences, whatever the upstream calls them. */
export class Sentences {
  private readonly fields = new Map<string, Seen>()

  see ({ nativeId, row }: Mapped): void {
    const { set, ...fields } = row
    for (const [name, value] of Object.entries({ ...fields, set_name: set.name, set_name_translations: set.name_translations })) this.look(name, value, nativeId)
  }

  private look (field: string, value: unknown, nativeId: string): void {
    if (typeof value === 'string') {
      const seen = this.fields.get(field) ?? { texts: 0, rows: 0, first: nativeId }
      if (seen.texts++ === 0) this.fields.set(field, seen)
      if (!/[.。]/.test(value) || !sentence.test(value)) return
      if (seen.rows++ === 0) seen.first = nativeId
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) this.look(Array.isArray(value) ? field : `${field}.${name}`, member, nativeId)
    }
  }

  result (): readonly Readonly<{ field: string, rows: number, first: string }>[] {
    return [...this.fields].filter(([, { texts, rows }]) => rows >= fewest && rows > texts * share).map(([field, { rows, first }]) => ({ field, rows, first }))
  }
}
