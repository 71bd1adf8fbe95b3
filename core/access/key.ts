import { createHash, randomBytes } from 'node:crypto'

const form = /^pantry_(?<tag>[a-z]{3})_[\w-]{43}[\w-]{6}$/

const sumOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6)

/**
 * Creates a key: `pantry_`, three letters for its purpose, 256 random bits in base64url (RFC 4648 §5), and a checksum
 * with which scanners and typing errors are detected without a look-up.
 */
export function newKey(tag: string): string {
  const text = `pantry_${tag}_${randomBytes(32).toString('base64url')}`
  return text + sumOf(text)
}

/** Returns the three letters for the purpose of a key; undefined for a text that is not a key. */
export function keyTag(text: string): string | undefined {
  const tag = form.exec(text)?.groups?.['tag']
  return tag === undefined || sumOf(text.slice(0, -6)) !== text.slice(-6) ? undefined : tag
}

const partOfKey = /pantry_[a-z]{3}_[\w-]{8}/

/** Decodes percent-encoded ASCII characters (RFC 3986 §2.1). */
const decoded = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([2-7][\da-f])/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))
    : text

/**
 * Tells whether a text contains a key or a part of one, even percent-encoded: no key belongs in a URL (RFC 6750 §5.3).
 */
export const holdsKey = (text: string): boolean => partOfKey.test(decoded(text))
