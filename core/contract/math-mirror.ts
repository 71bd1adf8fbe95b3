import { createHash } from 'node:crypto'
import { byteString } from '../canonical/byte-string.ts'
import { canonicalize, hashCanonical, sha256Hex } from '../canonical/canonical-json.ts'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { MirrorText } from '../handler/handler.ts'

/** The seven members every structural document starts with, in canonical order. */
export const preambleFields = [
  '@content_hash',
  '@encoding',
  '@kind',
  '@retrieved_at',
  '@self_hash',
  '@source_license',
  '@sources'
] as const

/** Where the two changing members are in the canonical text. */
const mark = ',"@retrieved_at":null,"@self_hash":null,'

/** What a structural document is made of, before it has a time and hashes. */
export type MirrorDocument = Readonly<{
  /** Identifier of the encoding, `<service>/universal/v1`. */
  encoding: string
  kind: string
  /** What `@content_hash` covers: the part of the document that is its identity. */
  seed: JsonValue
  /**
   * All other members; a name that starts with `@` is allowed when it does not sort between the two changing members.
   */
  body: JsonObject
  /** Source labels, and the rights label of each, in the same order. */
  sources: readonly string[]
  sourceLicense: readonly string[]
}>

/**
 * A structural document as canonical text (RFC 8785), split where the time of the answer and the self hash go: the two
 * names are neighbours in canonical order, so the text splits once. `etag` is the opaque part of an entity tag over
 * everything else.
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

/** A structural document with other members; what it says of itself, and the hash of its identity, stay. */
export const changeMirror = ({ before, after }: MirrorText, change: (document: JsonObject) => JsonObject): MirrorText =>
  // A structural document is an object in JSON text.
  cut(change(JSON.parse(`${before}null,"@self_hash":null,${after}`) as JsonObject))

/** The canonical text of a document whose time and self hash are null, split there. */
function cut(document: JsonObject): MirrorText {
  const text = canonicalize(document)
  // The mark found first is the real one: names with `@` sort first, and a text has its quotation marks escaped.
  const at = text.indexOf(mark)
  const before = `${text.slice(0, at)},"@retrieved_at":`
  const after = text.slice(at + mark.length)
  return { before, after, etag: sha256Hex(before + after).slice(0, 32) }
}

/** The two parts of a structural document as byte strings, so that they are encoded once to be hashed and sent. */
type MirrorBytes = Pick<MirrorText, 'before' | 'after'>

/** The two parts of a text as byte strings. */
export const mirrorBytes = ({ before, after }: MirrorText): MirrorBytes => ({
  before: byteString(before),
  after: byteString(after)
})

/**
 * What is between the two parts at the moment `time` (ISO 8601): that time, and the self hash. `@self_hash` is the
 * SHA-256 of the canonical document without `@self_hash`, so it covers the time as well and any reader of the document
 * alone can check it.
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

/** How many bytes that is. */
export const mirrorStampBytes = mirrorStamp({ before: '', after: '' }, new Date().toISOString()).length

/** The whole text, as it is at a moment. */
export const finishMirror = (text: MirrorText, now: Date): string =>
  text.before + mirrorStamp(mirrorBytes(text), now.toISOString()) + text.after

/** A moment as structural documents write it: ISO 8601 in UTC with milliseconds, and whole seconds since 1970. */
export function mirrorTime(moment: Date | string): { iso8601: string; unix_epoch_seconds: number } {
  const date = new Date(moment)
  return { iso8601: date.toISOString(), unix_epoch_seconds: Math.floor(date.getTime() / 1000) }
}
