import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * A request without an answer: why, when it was sent on the clock of `performance.now()`, and whether over a connection
 * that had carried answers.
 */
type Unanswered = Readonly<{ reason: string; sentAt: number; isOpen: boolean }>

type Tally = Readonly<{
  answered: number
  statuses: Readonly<Record<string, number>>
  unanswered: readonly Unanswered[]
}>

const patienceMs = 5_000

function ask(url: string, agent: Agent | false): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, timeout: patienceMs }, response => {
      text(response).then(() => {
        resolve(response.statusCode ?? 0)
      }, reject)
    })
    request.on('timeout', () => {
      request.destroy(Object.assign(new Error('no answer'), { code: 'NO_ANSWER' }))
    })
    request.on('error', error => {
      reject(Object.assign(error, { isOpen: request.reusedSocket }))
    })
  })
}

/**
 * Clients that ask one after the other until they are stopped: `kept` of them over one connection each for as long as
 * it lasts, `fresh` of them over a new one each time. A connection that cannot be made is `ECONNREFUSED`, one that
 * breaks `ECONNRESET`, one without an answer for five seconds `NO_ANSWER`.
 */
export function load(
  url: string,
  { kept, fresh }: Readonly<{ kept: number; fresh: number }>
): { answered: () => number; stop: () => Promise<Tally> } {
  const statuses: Record<string, number> = {}
  const unanswered: Unanswered[] = []
  let answered = 0
  let isOver = false
  async function client(agent: Agent | false): Promise<void> {
    while (!isOver) {
      const sentAt = performance.now()
      try {
        const status = await ask(url, agent)
        answered += 1
        statuses[status] = (statuses[status] ?? 0) + 1
      } catch (error) {
        const { code, isOpen = false } = error as NodeJS.ErrnoException & { isOpen?: boolean }
        unanswered.push({ reason: code ?? String(error), sentAt, isOpen })
        // A service that is gone is not asked without a pause.
        await new Promise(resolve => {
          setTimeout(resolve, 5)
        })
      }
    }
    if (agent !== false) agent.destroy()
  }
  const clients = [
    ...Array.from({ length: kept }, () => client(new Agent({ keepAlive: true, maxSockets: 1 }))),
    ...Array.from({ length: fresh }, () => client(false))
  ]
  return {
    answered: () => answered,
    stop: async () => {
      isOver = true
      await Promise.all(clients)
      return { answered, statuses, unanswered }
    }
  }
}
