import { createMemo, memoBytes } from '../../core/plan/choose.ts'

/** Test files share a process, and with it what is kept: this pushes out all that others have left. */
export function emptyMemo(): void {
  const filler = createMemo<null>()
  for (let number = 0; number < 64; number += 1) filler.set(`${number}`, null, 1024 * 1024)
  filler.clear()
  if (memoBytes() !== 0) throw new Error(`${memoBytes()} bytes are kept still.`)
}
