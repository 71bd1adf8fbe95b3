import { invalid } from './errors.ts'

const textual = new TextDecoder('utf-8', { fatal: true })

/**
 * A file as it was sent. It is held in memory and ends with its request: nothing writes it anywhere. `name` is the last
 * part of the name that its sender gave it, which says nothing about where it may be kept.
 */
export class SentFile {
  readonly field: string
  readonly name: string
  /** Its media type, in lower case and without parameters: one of those that are declared. */
  readonly type: string
  readonly bytes: Uint8Array

  constructor(field: string, { name, type, bytes }: Pick<SentFile, 'name' | 'type' | 'bytes'>) {
    this.field = field
    this.name = name
    this.type = type
    this.bytes = bytes
  }

  /** Its text, without a byte order mark; 400 for what is no UTF-8, or holds U+0000. */
  text(): string {
    const refused = invalid(this.field, `The file in \`${this.field}\` must be text in UTF-8.`)
    try {
      const text = textual.decode(this.bytes)
      if (!text.includes('\0')) return text
    } catch {
      throw refused
    }
    throw refused
  }
}

/** The files of a request by the names that are declared; one that was not sent is absent. */
export type SentFiles<Names extends string = string> = Readonly<Partial<Record<Names, SentFile>>>
