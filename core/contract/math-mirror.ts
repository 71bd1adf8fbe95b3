import { createHash } from 'node:crypto'
import { canonicalize, hashCanonical, sha256Hex } from '../canonical/canonical-json.ts'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { MirrorText } from '../handler/handler.ts'

/** The seven members every structural document starts with, in canonical order. */
export const preambleFields = ['@content_hash', '@encoding', '@kind', '@retrieved_at', '@self_hash', '@source_license', '@sources'] as const

/** Where the two changing members are in the canonical text. */
const mark = ',"@retrieved_at":null,"@self_hash":null,'

export type MirrorDocument = Readonly<{
  /** Identifier of the encoding, `<service>/universal/v1`. */
  encoding: string
  kind: string
  /** What `@content_hash` covers: the part of the document that is its identity. */
  seed: JsonValue
  /** All other members; a name that starts with `@` is allowed when it does not sort between the two changing members. */
  body: JsonObject
  /** Source labels, and the rights label of each, in the same order. */
  sources: readonly string[]
  sourceLicense: readonly string[]
}>

/**
 * A structural document as canonical text (RFC 8785), split where the time of the answer and the self hash go: the two names
 * are neighbours in canonical order, so the text splits once. `etag` is the opaque part of an entity tag over everything else.
 */
export function mirrorDocument (document: MirrorDocument): MirrorText {
  const own = preambleFields.find(name => name in document.body) ?? Object.keys(document.body).find(name => name > '@retrieved_at' && name < '@self_hash')
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
function cut (document: JsonObject): MirrorText {
  const text = canonicalize(document)
  // The mark found first is the real one: names with `@` sort first, and a text has its quotation marks escaped.
  const at = text.indexOf(mark)
  const before = `${text.slice(0, at)},"@retrieved_at":`
  const after = text.slice(at + mark.length)
  return { before, after, etag: sha256Hex(before + after).slice(0, 32) }
}

/** The two parts of a structural document as UTF-8, so that they are encoded once to be hashed and sent. */
export type MirrorBytes = Readonly<{ before: Buffer, after: Buffer }>

export const mirrorBytes = ({ before, after }: MirrorText): MirrorBytes => ({ before: Buffer.from(before), after: Buffer.from(after) })

/** The values between the two parts at the moment `time` (ISO 8601): that time, its seconds since 1970, and the self hash. */
export function mirrorStamps ({ before, after }: MirrorBytes, time: string): readonly [time: string, seconds: string, selfHash: string] {
  const seconds = String(Math.floor(Date.parse(time) / 1000))
  return [time, seconds, createHash('sha256').update(before).update(dated(time, seconds), 'latin1').update(after).digest('hex')]
}

/** What is between the values of `mirrorStamps`. */
export const mirrorGaps = ['{"iso8601":"', '","unix_epoch_seconds":', '},"@self_hash":"', '",'] as const
const dated = (time: string, seconds: string): string => `${mirrorGaps[0]}${time}${mirrorGaps[1]}${seconds}},`

/**
 * The complete text at a moment. `@self_hash` is the SHA-256 of the canonical document without `@self_hash`, so it covers the
 * time as well and any reader of the document alone can check it.
 */
export function mirrorAt (bytes: MirrorBytes, time: string): Buffer {
  const [, seconds, selfHash] = mirrorStamps(bytes, time)
  return Buffer.concat([bytes.before, Buffer.from(`${dated(time, seconds)}"@self_hash":"${selfHash}${mirrorGaps[3]}`, 'latin1'), bytes.after])
}

export const finishMirror = (text: MirrorText, now: Date): string => mirrorAt(mirrorBytes(text), now.toISOString()).toString()

/** A moment as structural documents write it: ISO 8601 in UTC with milliseconds, and whole seconds since 1970. */
export function mirrorTime (moment: Date | string): { iso8601: string, unix_epoch_seconds: number } {
  const date = new Date(moment)
  return { iso8601: date.toISOString(), unix_epoch_seconds: Math.floor(date.getTime() / 1000) }
}
