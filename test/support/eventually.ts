import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Tries again until it succeeds, for states that another process reaches in its own time: every 50 ms, for ten seconds
 * or as many as given. The last error is thrown when it never does.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, seconds = 10): Promise<T> {
  for (let left = seconds * 20; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0) throw error
      await sleep(50)
    }
  }
}
