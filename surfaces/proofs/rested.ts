/**
 * Returns a function that runs `work` or returns its last result. After a run that took t, the next one starts at the
 * earliest `times` × t after its start; concurrent callers share a run. Failures are not kept.
 */
export function rested<T>(times: number, work: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  let nextAt = -Infinity
  return async () => {
    const begun = performance.now()
    if (kept !== undefined && begun < nextAt) return await kept
    nextAt = Infinity
    kept = work()
    kept.then(
      () => {
        nextAt = begun + times * (performance.now() - begun)
      },
      () => {
        kept = undefined
      }
    )
    return await kept
  }
}
