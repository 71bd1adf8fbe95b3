import { setTimeout as sleep } from 'node:timers/promises'

/** Tries again until it succeeds, for states that another process reaches in its own time. The last error is thrown when it never does. */
export async function eventually<T> (attempt: () => T | Promise<T>): Promise<T> {
  for (let left = 200; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0) throw error
      await sleep(50)
    }
  }
}
