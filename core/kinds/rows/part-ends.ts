import type { RowPosition } from '../../plan/kind.ts'

/** Milliseconds for which the places are kept where parts end. */
const keptMs = 600_000

/**
 * Returns a function that returns where the parts of a table end, in their order. `find` returns where the part after a
 * place ends. To find all reads the whole index, so they are kept for ten minutes, and requests that come meanwhile
 * share the search. One that fails is continued where it was by the next request.
 */
export function keepEnds(
  find: (after: RowPosition | undefined) => Promise<RowPosition | undefined>
): (now: Date) => Promise<readonly RowPosition[]> {
  let found: RowPosition[] = []
  let begunAt = -Infinity
  let isWhole = false
  let pending: Promise<void> | undefined

  async function search(): Promise<void> {
    for (let end = await find(found.at(-1)); end !== undefined; end = await find(end)) found.push(end)
    isWhole = true
  }

  return async now => {
    if (pending === undefined && now.getTime() - begunAt >= keptMs) {
      found = []
      isWhole = false
      begunAt = now.getTime()
    }
    if (!isWhole)
      await (pending ??= search().finally(() => {
        pending = undefined
      }))
    return found
  }
}
