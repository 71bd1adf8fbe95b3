import { SurfaceError } from 'pantry/data'

/** What was read, or `undefined` when the store cannot be read now: the registry is known without it. */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof SurfaceError && error.code === 'SOURCE_UNAVAILABLE') return undefined
    throw error
  }
}
