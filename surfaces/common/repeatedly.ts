/**
 * Calls `act` at intervals, never twice at the same time. Errors are reported, and the next turn tries again. The
 * returned function stops the calls and waits for the running one.
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
