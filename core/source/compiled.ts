import { createHash } from 'node:crypto'
import { onceFor } from '../canonical/once-for.ts'
import { atOnce, type Sliced } from '../canonical/slices.ts'
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

/** SHA-256 of the bytes of a file, in hexadecimal. */
export const digestOfBytes = onceFor((bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex'))

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
export const madeOf = <T, P>(
  compiled: Compiled | undefined,
  name: string,
  parts: readonly (Uint8Array | string | undefined)[],
  form: KeptForm<T, P>,
  make: () => T
): T =>
  atOnce(
    makingOf(compiled, name, parts, form, function* () {
      return make()
    })
  )

export function* makingOf<T, P>(
  compiled: Compiled | undefined,
  name: string,
  parts: readonly (Uint8Array | string | undefined)[],
  { pack, unpack }: KeptForm<T, P>,
  make: () => Sliced<T>
): Sliced<T> {
  if (compiled === undefined || !parts.every(isRead)) return yield* make()
  const digest = digestOf(parts)
  const found = compiled.take(name, digest)
  let again: { made: T } | undefined
  if (found !== undefined) return unpack(found as P, () => (again ??= { made: atOnce(make()) }).made)
  const made = yield* make()
  const packed = compiled.keep === undefined ? undefined : pack(made)
  if (packed !== undefined) compiled.keep?.(name, digest, packed)
  return made
}
