/**
 * Does something again and again until it is stopped, never twice at once. What fails is reported, and tried again with
 * the next turn.
 */
export function repeatedly(
  act: () => Promise<unknown>,
  everyMs: number,
  report: (error: unknown) => void
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    running = act()
      .catch(report)
      .finally(() => {
        isRunning = false
      })
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
