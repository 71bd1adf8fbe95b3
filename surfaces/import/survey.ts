import type { Mapped, MappedRow, Rejected } from './map-row.ts'

/** How often a field has a value among the rows that could be mapped, with the first value. */
type FieldFill = Readonly<{ field: string, filled: number, share: number, example: string }>

/** What a source holds, as a dry run shows it. */
export type Survey = Readonly<{
  files: number
  rows: number
  /** Rows that `only_with` excludes. */
  passed_over: number
  mapped: number
  fields: readonly FieldFill[]
  /** The first rows as they would be kept. */
  examples: readonly Readonly<{ native_id: string, sku: string, row: MappedRow }>[]
}>

const mostExamples = 3

/** Takes stock of the rows of one import as they go by. */
export class Surveyor {
  private readonly paths = new Set<string>()
  private readonly fills = new Map<string, { filled: number, example: string }>()
  private readonly examples: Survey['examples'][number][] = []
  private rows = 0
  private mapped = 0
  private passedOver = 0

  passOver (path: string): void {
    this.paths.add(path)
    this.passedOver++
  }

  see (mapped: Mapped | Rejected, path: string): void {
    this.paths.add(path)
    this.rows++
    if ('reason' in mapped) return
    this.mapped++
    const { nativeId, sku, row } = mapped
    if (this.examples.length < mostExamples) this.examples.push({ native_id: nativeId, sku, row })
    const { attributes, set, ...own } = row
    this.count('', own)
    this.count('set.', set)
    this.count('attributes.', attributes ?? {})
  }

  result (): Survey {
    const fields = [...this.fills].map(([field, { filled, example }]) => ({ field, filled, share: this.mapped === 0 ? 0 : filled / this.mapped, example }))
    return { files: this.paths.size, rows: this.rows, passed_over: this.passedOver, mapped: this.mapped, fields, examples: this.examples }
  }

  private count (prefix: string, members: object): void {
    for (const [name, value] of Object.entries(members) as [string, unknown][]) {
      const fill = this.fills.get(prefix + name) ?? { filled: 0, example: '' }
      this.fills.set(prefix + name, fill)
      if (value === null || value === '') continue
      fill.filled++
      if (fill.filled === 1) fill.example = typeof value === 'string' ? value : JSON.stringify(value)
    }
  }
}
