import { invalid } from './errors.ts'

const textual = new TextDecoder('utf-8', { fatal: true })

/**
 * A file that a form contained. It is held in memory during its request and written nowhere. `name` is the last part of
 * the name given by the sender, and must not be used as a path.
 */
export class SentFile {
  readonly field: string
  readonly name: string
  /** Media type in lower case, without parameters: one of the declared types. */
  readonly type: string
  readonly bytes: Uint8Array

  constructor(field: string, { name, type, bytes }: Pick<SentFile, 'name' | 'type' | 'bytes'>) {
    this.field = field
    this.name = name
    this.type = type
    this.bytes = bytes
  }

  /** Returns the text without a byte order mark; throws 400 if it is not UTF-8 or contains U+0000. */
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

/** The files of a request by their declared names; a file that was not sent is absent. */
export type SentFiles<Names extends string = string> = Readonly<Partial<Record<Names, SentFile>>>
