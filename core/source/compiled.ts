import { createHash } from 'node:crypto'
import { largestFile } from './decode-text.ts'

/** What a build made of the files of a root, by a name and a digest of what it is made of. */
export type Compiled = Readonly<{
  take: (name: string, digest: string) => unknown
  /** Keeps what was made; where a build compiles. */
  keep?: (name: string, digest: string, packed: unknown) => void
}>

/**
 * How something is kept: as plain data, or not at all where more than that is known of it. What data cannot say is made
 * again when it is asked for.
 */
export type KeptForm<T, P> = Readonly<{ pack: (made: T) => P | undefined; unpack: (packed: P, again: () => T) => T }>

const digests = new WeakMap<Uint8Array, string>()

/** SHA-256 of the bytes of a file, in hexadecimal. */
export function digestOfBytes(bytes: Uint8Array): string {
  const known = digests.get(bytes)
  if (known !== undefined) return known
  const digest = createHash('sha256').update(bytes).digest('hex')
  digests.set(bytes, digest)
  return digest
}

/** Bytes of a file that is too large to be read stand for no content. */
const isRead = (part: Uint8Array | string | undefined): boolean =>
  !(part instanceof Uint8Array) || part.length <= largestFile

const digestOf = (parts: readonly (Uint8Array | string | undefined)[]): string =>
  createHash('sha256')
    .update(JSON.stringify(parts.map(part => (part instanceof Uint8Array ? [digestOfBytes(part)] : (part ?? null)))))
    .digest('hex')

/**
 * What `make` gives, or what a build kept of the same parts. Whatever else it depends on is code, and a build is taken
 * with its own code only.
 */
export function madeOf<T, P>(
  compiled: Compiled | undefined,
  name: string,
  parts: readonly (Uint8Array | string | undefined)[],
  { pack, unpack }: KeptForm<T, P>,
  make: () => T
): T {
  if (compiled === undefined || !parts.every(isRead)) return make()
  const digest = digestOf(parts)
  const found = compiled.take(name, digest)
  let again: { made: T } | undefined
  if (found !== undefined) return unpack(found as P, () => (again ??= { made: make() }).made)
  const made = make()
  const packed = compiled.keep === undefined ? undefined : pack(made)
  if (packed !== undefined) compiled.keep?.(name, digest, packed)
  return made
}
