import { pino, type Logger } from 'pino'
import type { Observer } from './surface-router.ts'

/** Control characters but tab and line feed: a terminal would obey them. */
const control = /(?![\t\n])\p{Cc}/gu

const notFacts = new Set(['level', 'time', 'subsystem', 'msg', 'err'])

const shown = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`

/** A line of the log for a person: the sentence alone where all is well, else the level before it and the facts after it. */
function plainLine (line: string): string {
  const entry = JSON.parse(line) as Readonly<Record<string, unknown> & { level: string, msg: string, err?: { stack?: string } }>
  if (entry.level === 'info') return `${entry.msg}\n`
  const facts = Object.entries(entry).filter(([name]) => !notFacts.has(name)).map(([name, fact]) => ` ${name}=${typeof fact === 'string' ? fact : JSON.stringify(fact)}`)
  return `${entry.level}: ${entry.msg}${facts.join('')}\n${entry.err?.stack === undefined ? '' : `${entry.err.stack}\n`}`
}

/**
 * Sentences on a terminal, JSON lines on stderr otherwise: results go to stdout. It never receives a body, a query, a credential or an address.
 */
export function createLog (level: string, stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): Logger {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, formatters: { level: (label: string) => ({ level: label }) } }
  return stderr.isTTY ? pino(options, { write: line => { stderr.write(plainLine(line).replace(control, shown)) } }) : pino(options, pino.destination({ fd: 2, sync: true }))
}

/**
 * Access log: failures of the service as errors, every other answer at debug. A request is named by the pattern of its route and
 * its request id, the caller by a hash that changes each day, so days cannot be joined.
 */
export function accessLog (log: Logger): Observer | undefined {
  if (!log.isLevelEnabled('error')) return undefined
  const all = log.isLevelEnabled('debug')
  return ({ request, surface, status, startedAt }) => {
    if (!all && status < 500) return
    const line = {
      request_id: request.requestId,
      method: request.method,
      route: surface?.route.path ?? 'unclaimed',
      status,
      duration_ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
      caller: request.callerHash()
    }
    if (status >= 500 && status !== 503) log.error(line, 'request failed')
    else log.debug(line, 'request')
  }
}
