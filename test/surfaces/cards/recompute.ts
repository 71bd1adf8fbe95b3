import { createHash } from 'node:crypto'

/** What an outside reader would write to check our hashes: no code of ours, only JSON.parse, a sort and SHA-256. */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Document = { [name: string]: Json }

type Part = { constant: Json } | { pointer: string; when_absent?: Json }
type Encoding = { hashing: { content_hash: { by_kind: Record<string, Record<string, Part>> } } }

export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.keys(value)
      .sort()
      .map(name => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
      .join(',')}}`
  }
  return JSON.stringify(value)
}

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

const without = (document: Document, unwanted: (name: string) => boolean): Document =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !unwanted(name)))

export const selfHash = (document: Document): string =>
  sha256(canonical(without(document, name => name === '@self_hash')))

const follow = (document: Json, pointer: string): Json | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<Json | undefined>(
      (value, name) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined),
      document
    )

/** `@content_hash` of a document by the recipe that the encoding document publishes for its kind. */
export function contentHash(document: Document, encoding: unknown): string {
  const recipe = (encoding as Encoding).hashing.content_hash.by_kind[document['@kind'] as string]
  const seed =
    recipe === undefined
      ? without(document, name => name.startsWith('@'))
      : Object.fromEntries(
          Object.entries(recipe).map(([name, part]): [string, Json] => {
            if ('constant' in part) return [name, part.constant]
            const value = follow(document, part.pointer)
            return [name, value === undefined ? (part.when_absent ?? null) : value]
          })
        )
  return sha256(canonical(seed))
}
