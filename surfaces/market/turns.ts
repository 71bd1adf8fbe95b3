import { unavailable } from 'pantry/data'

/** How many requests of a process are at one auction: one holds it, others are on their way to it. Who comes later waits here, and keeps no connection from those who want something else. */
const atOnce = 4

/** How long anybody waits for their turn. A process that is asked too much refuses before that. */
const longestMs = 10_000

type Line = { open: number, readonly waiting: (() => void)[] }

const lines = new Map<string, Line>()

const turn = (line: Line): Promise<void> => new Promise((resolve, reject) => {
  const begin = (): void => {
    clearTimeout(timer)
    resolve()
  }
  const timer = setTimeout(() => {
    line.waiting.splice(line.waiting.indexOf(begin), 1)
    reject(unavailable('Too many act on this auction at once. Please try again in a moment.', 1, { subsystem: 'market' }))
  }, longestMs)
  line.waiting.push(begin)
})

/** Does something to what has this name when those who came before have had their turn; 503 for who would wait too long. */
export async function inTurn<Done> (name: string, work: () => Promise<Done>): Promise<Done> {
  const line = lines.get(name) ?? { open: 0, waiting: [] }
  lines.set(name, line)
  if (line.open < atOnce) line.open += 1
  else await turn(line)
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next === undefined) line.open -= 1
    else next()
    if (line.open === 0) lines.delete(name)
  }
}
