import { sha256Hex } from '../canonical/canonical-json.ts'
import type { ReadRoot } from './read-root.ts'

/** SHA-256 over names and bytes of all files and over the schemas of all handlers, in load order; lowercase hex. */
export function digestOf (roots: readonly ReadRoot[]): string {
  const decoder = new TextDecoder()
  return sha256Hex(JSON.stringify(roots.map(({ root, files }) => [
    root.name,
    files.map(({ name, bytes }) => [name, decoder.decode(bytes)]),
    [...root.handlers].map(([id, { params, query, body, reply }]) => [id, params, query, body, reply])
  ])))
}
