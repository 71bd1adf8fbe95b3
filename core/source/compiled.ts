import { hash } from 'node:crypto'
import { sha256Hex } from '../canonical/json.ts'
import { runSync, memoize, type SlicedWork } from '../canonical/work.ts'
import { maxFileBytes } from './decode-text.ts'

/**
 * Results that a build made. `take` returns the result of a name if the digest of its inputs is the same, else
 * `undefined`.
 */
export type BuildCache = Readonly<{
  take: (name: string, digest: string) => unknown
  /** Stores a result. Absent except during a build. */
  keep?: (name: string, digest: string, packed: unknown) => void
}>

/**
 * How a result is stored: as plain data, or not at all if `pack` returns `undefined`. `unpack` restores it, or calls
 * `again` to compute it as without a build.
 */
export type CacheCodec<T, P> = Readonly<{ pack: (made: T) => P | undefined; unpack: (packed: P, again: () => T) => T }>

/** Returns the SHA-256 digest of a file's bytes, in hexadecimal. */
export const digestOfBytes = memoize((bytes: Uint8Array): string => hash('sha256', bytes, 'hex'))

type Parts = readonly (Uint8Array | string | undefined)[]

/** Whether a part is known in full: the bytes of a file above the size limit are only a placeholder. */
const isRead = (part: Parts[number]): boolean => !(part instanceof Uint8Array) || part.length <= maxFileBytes

const digestOf = (parts: Parts): string =>
  sha256Hex(JSON.stringify(parts.map(part => (part instanceof Uint8Array ? [digestOfBytes(part)] : (part ?? null)))))

/**
 * Returns the result of `make`, or the one that a build stored for the same parts. `compiled` has only results that
 * were made with the code that runs now.
 */
export const getOrCompute = <T, P>(
  compiled: BuildCache | undefined,
  name: string,
  parts: Parts,
  form: CacheCodec<T, P>,
  make: () => T
): T =>
  runSync(
    getOrComputeInSlices(compiled, name, parts, form, function* () {
      return make()
    })
  )

export function* getOrComputeInSlices<T, P>(
  compiled: BuildCache | undefined,
  name: string,
  parts: Parts,
  { pack, unpack }: CacheCodec<T, P>,
  make: () => SlicedWork<T>
): SlicedWork<T> {
  if (compiled === undefined || !parts.every(isRead)) return yield* make()
  const digest = digestOf(parts)
  const found = compiled.take(name, digest)
  let again: { made: T } | undefined
  if (found !== undefined) return unpack(found as P, () => (again ??= { made: runSync(make()) }).made)
  const made = yield* make()
  const packed = compiled.keep === undefined ? undefined : pack(made)
  if (packed !== undefined) compiled.keep?.(name, digest, packed)
  return made
}
