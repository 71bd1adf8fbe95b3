import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionLimits } from './connection.ts'
import { hasNoRoom } from './errors.ts'

/** Milliseconds between two attempts. */
const pause = 100

/** Whether to ask again after this error, where the first attempt began at `begun`. */
export const mayAskAgain = ({ isPatient, connect }: ConnectionLimits, error: unknown, begun: number): boolean =>
  isPatient === true && hasNoRoom(error) && performance.now() - begun < connect

/** Connects. With patience, again and again while the server has no connection free and nothing `isOver`. */
export async function letIn<T>(
  limits: ConnectionLimits,
  connect: () => Promise<T>,
  isOver?: () => boolean
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      if (isOver?.() === true || !mayAskAgain(limits, error, begun)) throw error
      await sleep(pause)
    }
  }
}
