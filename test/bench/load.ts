import autocannon from 'autocannon'
import { ownTime, processorTime, stolen } from './processor-time.ts'
import { requestOf, varietyOf, type Keys } from './requests.ts'
import type { Scenario } from './scenarios.ts'
import type { Started } from './servers.ts'

/** A server under load for a short time. Times are microseconds; those of processors are sums of all requests. */
export type Slice = Readonly<{
  requests: number
  wall: number
  server: number
  database: number
  /**
   * Parts of the time in which the server, and this process, waited for a core; and in which the machine was given to
   * others.
   */
  serverWaited: number
  clientWaited: number
  stolen: number
  /** Answers without the wanted status, and those that did not come. */
  wrong: number
  isDirty: boolean
}>

/** Answers of a run that did not have the wanted status, or did not come. */
export function wrongOf(result: autocannon.Result, status: number): number {
  const counts: Readonly<Record<string, { count: number } | undefined>> = result.statusCodeStats as never
  return result.requests.total - (counts[String(status)]?.count ?? 0) + result.errors
}

export type Asked = Readonly<{
  scenario: Scenario
  server: Started
  keys: Keys
  connections: number
  databaseTime: () => Promise<number>
}>

/** The condition that a client of this server would send: each makes entity tags of its own. */
async function conditionOf({ scenario, server, keys }: Asked): Promise<Readonly<Record<string, string>>> {
  if (scenario.condition === undefined) return {}
  const etag = (await fetch(server.url + requestOf(scenario, keys).path)).headers.get('etag')
  if (etag === null) throw new Error(`${scenario.name}: the answer has no entity tag.`)
  return { 'if-none-match': etag }
}

const warmVariety = 30

/**
 * A client decodes each body as UTF-8 and joins its parts. For a compressed one that takes half as long again as the
 * whole request, so that the server waits for the client and wakes up more often than for any other request; nothing
 * here reads a body.
 */
function keepNoBody(client: autocannon.Client & { pipelinedRequests?: { addBody?: unknown } }): void {
  if (typeof client.pipelinedRequests?.addBody !== 'function')
    throw new Error('autocannon keeps bodies in another way than this bench knows.')
  client.pipelinedRequests.addBody = () => {}
}

/**
 * Sends the requests of a scenario: for some seconds, or a number of them. With a number every request is answered
 * within the measured time.
 */
export async function send(
  asked: Asked,
  limit: Readonly<{ duration: number } | { amount: number }>
): Promise<autocannon.Result> {
  const { scenario, server, keys } = asked
  const condition = await conditionOf(asked)
  const connections = Math.min(scenario.connections ?? asked.connections, 'amount' in limit ? limit.amount : Infinity)
  // Making requests costs this process time of the measurement: no more than are sent.
  const variety = Math.min(varietyOf(scenario), 'amount' in limit ? Math.ceil(limit.amount / connections) : warmVariety)
  const perConnection = Array.from({ length: connections }, () =>
    Array.from({ length: variety }, () => requestOf(scenario, keys, condition))
  )
  const setupClient = (client: autocannon.Client): void => {
    keepNoBody(client)
    client.setRequests(perConnection.pop() ?? [])
  }
  // The end is noticed at a sample only.
  return await autocannon({ url: server.url, connections, timeout: 30, sampleInt: 20, ...limit, setupClient })
}

/** Lets a server work until its code is compiled. Answers how many requests it gives in a second. */
export async function warm(asked: Asked, seconds: number): Promise<number> {
  const { requests, duration } = await send(asked, { duration: seconds })
  return Math.max(1, requests.total / duration)
}

/** Most that a clean sample has of each: the server's wait, this process's wait, and what the host took. */
const clean = { serverWaited: 0.1, clientWaited: 0.2, stolen: 0.02 }

export async function measureSlice(asked: Asked, amount: number): Promise<Slice> {
  const { scenario, server } = asked
  const before = {
    database: await asked.databaseTime(),
    server: processorTime(server.pid),
    client: ownTime(),
    stolen: stolen(),
    at: performance.now()
  }
  const result = await send(asked, { amount })
  const wall = (performance.now() - before.at) * 1000
  const [serverTime, client] = [processorTime(server.pid), ownTime()]
  const waits = {
    serverWaited: (serverTime.waited - before.server.waited) / wall,
    clientWaited: (client.waited - before.client.waited) / wall,
    stolen: (stolen() - before.stolen) / wall
  }
  return {
    requests: result.requests.total,
    wall,
    server: serverTime.ran - before.server.ran,
    database: (await asked.databaseTime()) - before.database,
    ...waits,
    wrong: wrongOf(result, scenario.status ?? 200),
    // The database works on the core of this process, which therefore waits for it on a quiet machine as well.
    isDirty:
      waits.serverWaited > clean.serverWaited ||
      waits.stolen > clean.stolen ||
      (scenario.database !== true && waits.clientWaited > clean.clientWaited)
  }
}
