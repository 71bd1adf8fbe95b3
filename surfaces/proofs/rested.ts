/**
 * Whoever asks waits for work that is under way, or gets what it found; it begins again so many times as long after its
 * last begin as it took.
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
