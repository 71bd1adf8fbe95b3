import { SurfaceError } from 'pantry/data'

/**
 * Returns the result of a query, or `undefined` when the database is unavailable: the registry can be shown without it.
 */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof SurfaceError && error.code === 'SOURCE_UNAVAILABLE') return undefined
    throw error
  }
}
