/** Does some works two at a time, the first first: one waits for a database or the network while the other computes. */
export async function twoAtATime<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  await Promise.all(
    [0, 1].map(async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
    })
  )
}
