/**
 * Loaded before `pantry serve` by service.ts: says over the channel what the process holds, and how late its loop was
 * since it was last asked.
 */
import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type Held = Readonly<{
  /** Bytes. */
  rss: number
  heapUsed: number
  external: number
  descriptors: number
  /** Open connections of clients, and all that keeps the loop alive. */
  connections: number
  resources: number
  /** Milliseconds between two ticks that are to be one apart. */
  lagP50: number
  lagP99: number
  lagMax: number
  /** Microseconds of processor time since the start. */
  cpu: number
}>

const lag = monitorEventLoopDelay({ resolution: 1 })
lag.enable()

function held(): Held {
  const { rss, heapUsed, external } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const { user, system } = process.cpuUsage()
  const found = {
    rss,
    heapUsed,
    external,
    resources: resources.length,
    connections: resources.filter(name => name === 'TCPSocketWrap').length,
    descriptors: readdirSync('/proc/self/fd').length,
    lagP50: lag.percentile(50) / 1e6,
    lagP99: lag.percentile(99) / 1e6,
    lagMax: lag.max / 1e6,
    cpu: user + system
  }
  lag.reset()
  return found
}

process.on('message', message => {
  if (message === 'held') process.send?.({ held: held() })
})
process.channel?.unref()
