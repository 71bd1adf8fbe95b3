/**
 * Calls `act` at intervals until it is stopped, never twice at the same time. Errors are reported, and the next turn
 * tries again.
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
