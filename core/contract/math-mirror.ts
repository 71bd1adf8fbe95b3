import { createHash } from 'node:crypto'
import {
  byteString,
  canonicalize,
  hashCanonical,
  sha256Hex,
  type JsonObject,
  type JsonValue
} from '../canonical/json.ts'
import type { MirrorText } from '../handler/handler.ts'

/** The seven members that every structural document has, in canonical order. */
export const preambleFields = [
  '@content_hash',
  '@encoding',
  '@kind',
  '@retrieved_at',
  '@self_hash',
  '@source_license',
  '@sources'
] as const

/** Canonical text of the two members that change with each answer, while they are null. They are always neighbours. */
const mark = ',"@retrieved_at":null,"@self_hash":null,'

/** The input of `mirrorDocument`: a structural document without its time and hashes. */
export type MirrorDocument = Readonly<{
  /** Identifier of the encoding: `encoding` of the service, by default `<id>/universal/v1`. */
  encoding: string
  kind: string
  /** The value whose canonical SHA-256 is `@content_hash`: the identity of the document. */
  seed: JsonValue
  /**
   * All other members. A name must be none of `preambleFields`, and must not sort between `@retrieved_at` and
   * `@self_hash`.
   */
  body: JsonObject
  /** Source labels; `sourceLicense` has the license label of each, in the same order. */
  sources: readonly string[]
  sourceLicense: readonly string[]
}>

/**
 * Writes a structural document as canonical text (RFC 8785), split where `@retrieved_at` and `@self_hash` go. `etag` is
 * the opaque part of an entity tag of everything else. Throws a TypeError if `body` has a name that is not allowed.
 */
export function mirrorDocument(document: MirrorDocument): MirrorText {
  const own =
    preambleFields.find(name => name in document.body) ??
    Object.keys(document.body).find(name => name > '@retrieved_at' && name < '@self_hash')
  if (own !== undefined) throw new TypeError(`A structural document cannot have a member \`${own}\` of its own.`)
  return cut({
    ...document.body,
    '@content_hash': hashCanonical(document.seed),
    '@encoding': document.encoding,
    '@kind': document.kind,
    '@retrieved_at': null,
    '@self_hash': null,
    '@source_license': document.sourceLicense,
    '@sources': document.sources
  })
}

/**
 * Returns the text of the document that `change` makes of a structural document, whose time and self hash are null.
 * `change` must keep the seven members of the preamble; `@content_hash` is not computed again.
 */
export const changeMirror = ({ before, after }: MirrorText, change: (document: JsonObject) => JsonObject): MirrorText =>
  cut(change(JSON.parse(`${before}null,"@self_hash":null,${after}`) as JsonObject))

/**
 * Returns what a structural document holds, without its time and self hash, which are of canonical JSON alone: so other
 * formats of it change only with the document.
 */
export const mirrorContent = ({ before, after }: MirrorText): JsonObject =>
  JSON.parse(`${before.slice(0, -',"@retrieved_at":'.length)},${after}`) as JsonObject

/** Writes a document as canonical text, split where `@retrieved_at` and `@self_hash`, which must be null, are. */
function cut(document: JsonObject): MirrorText {
  const text = canonicalize(document)
  // Names that begin with a letter sort after `@`, and quotation marks inside strings are escaped. So the first match
  // is that of the document itself, unless the value of a member before `@retrieved_at` contains these two members too.
  const at = text.indexOf(mark)
  const before = `${text.slice(0, at)},"@retrieved_at":`
  const after = text.slice(at + mark.length)
  return { before, after, etag: sha256Hex(before + after).slice(0, 32) }
}

/** The two parts of a structural document as byte strings, which are encoded once and then hashed and sent. */
type MirrorBytes = Pick<MirrorText, 'before' | 'after'>

/** Returns both parts of a text as byte strings, which have one character for each UTF-8 byte. */
export const mirrorBytes = ({ before, after }: MirrorText): MirrorBytes => ({
  before: byteString(before),
  after: byteString(after)
})

/**
 * Returns the text to write between the two parts: the value of `@retrieved_at` for `time` (ISO 8601), and the member
 * `@self_hash`, the SHA-256 of the canonical document without that member.
 */
export function mirrorStamp({ before, after }: MirrorBytes, time: string): string {
  const dated = `{"iso8601":"${time}","unix_epoch_seconds":${Math.floor(Date.parse(time) / 1000)}},`
  const selfHash = createHash('sha256')
    .update(before, 'latin1')
    .update(dated, 'latin1')
    .update(after, 'latin1')
    .digest('hex')
  return `${dated}"@self_hash":"${selfHash}",`
}

/** Length in bytes of the text that `mirrorStamp` returns, the same for every time from 2002 to 2286. */
export const mirrorStampBytes = mirrorStamp({ before: '', after: '' }, new Date().toISOString()).length

/** Returns the whole text of a structural document that is answered at `now`. */
export const finishMirror = (text: MirrorText, now: Date): string =>
  text.before + mirrorStamp(mirrorBytes(text), now.toISOString()) + text.after

/**
 * Converts a time to the form of structural documents: ISO 8601 in UTC with milliseconds, and whole seconds since 1970.
 * Throws a RangeError if a text is no date.
 */
export function mirrorTime(moment: Date | string): { iso8601: string; unix_epoch_seconds: number } {
  const date = new Date(moment)
  return { iso8601: date.toISOString(), unix_epoch_seconds: Math.floor(date.getTime() / 1000) }
}
