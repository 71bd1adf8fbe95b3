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

/** The seven members that every structural document starts with, in canonical order. */
export const preambleFields = [
  '@content_hash',
  '@encoding',
  '@kind',
  '@retrieved_at',
  '@self_hash',
  '@source_license',
  '@sources'
] as const

/** The two changing members as they are in the canonical text; they are neighbours in canonical order. */
const mark = ',"@retrieved_at":null,"@self_hash":null,'

/** What a structural document is made of, before it has a time and hashes. */
export type MirrorDocument = Readonly<{
  /** Identifier of the encoding, `<service>/universal/v1`. */
  encoding: string
  kind: string
  /** The value that `@content_hash` covers: the identity of the document. */
  seed: JsonValue
  /** All other members; a name that starts with `@` is allowed if it does not sort between the two changing members. */
  body: JsonObject
  /** Source labels, and the license label of each, in the same order. */
  sources: readonly string[]
  sourceLicense: readonly string[]
}>

/**
 * Writes a structural document as canonical text (RFC 8785), split where the time of the answer and the self hash go.
 * `etag` is the opaque part of an entity tag of everything else.
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

/** Changes members of a structural document; its preamble is kept unless `change` replaces it. */
export const changeMirror = ({ before, after }: MirrorText, change: (document: JsonObject) => JsonObject): MirrorText =>
  cut(change(JSON.parse(`${before}null,"@self_hash":null,${after}`) as JsonObject))

/** Writes a document whose time and self hash are null as canonical text, split there. */
function cut(document: JsonObject): MirrorText {
  const text = canonicalize(document)
  // The first match is the real one: names with `@` sort first, and quotation marks inside strings are escaped.
  const at = text.indexOf(mark)
  const before = `${text.slice(0, at)},"@retrieved_at":`
  const after = text.slice(at + mark.length)
  return { before, after, etag: sha256Hex(before + after).slice(0, 32) }
}

/** The two parts of a structural document as byte strings: encoded once, to be hashed and sent. */
type MirrorBytes = Pick<MirrorText, 'before' | 'after'>

/** Returns both parts of a text as byte strings: one character for each byte. */
export const mirrorBytes = ({ before, after }: MirrorText): MirrorBytes => ({
  before: byteString(before),
  after: byteString(after)
})

/**
 * Returns the text between the two parts at `time` (ISO 8601): that time, and the self hash, the SHA-256 of the
 * canonical document without `@self_hash`.
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

/** Length of that text in bytes. */
export const mirrorStampBytes = mirrorStamp({ before: '', after: '' }, new Date().toISOString()).length

/** The whole text, as it is at a moment. */
export const finishMirror = (text: MirrorText, now: Date): string =>
  text.before + mirrorStamp(mirrorBytes(text), now.toISOString()) + text.after

/** Converts a time to the form of structural documents: ISO 8601 in UTC, and whole seconds since 1970. */
export function mirrorTime(moment: Date | string): { iso8601: string; unix_epoch_seconds: number } {
  const date = new Date(moment)
  return { iso8601: date.toISOString(), unix_epoch_seconds: Math.floor(date.getTime() / 1000) }
}
