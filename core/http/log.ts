import { pino, stdSerializers, type Logger } from 'pino'
import type { Observer } from './surface-router.ts'

type Stderr = Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'writableLength'>

/** Control characters but tab and line feed: a terminal would obey them. */
const control = /(?![\t\n])\p{Cc}/gu

const notFacts = new Set(['level', 'time', 'subsystem', 'msg', 'err'])

const shown = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`

/**
 * A line of the log for a person: the sentence alone where all is well, else the level before it and the facts after
 * it.
 */
function plainLine(line: string): string {
  const entry = JSON.parse(line) as Readonly<
    Record<string, unknown> & { level: string; msg: string; err?: { stack?: string } }
  >
  if (entry.level === 'info') return `${entry.msg}\n`
  const facts = Object.entries(entry)
    .filter(([name]) => !notFacts.has(name))
    .map(([name, fact]) => ` ${name}=${typeof fact === 'string' ? fact : JSON.stringify(fact)}`)
  return `${entry.level}: ${entry.msg}${facts.join('')}\n${entry.err?.stack === undefined ? '' : `${entry.err.stack}\n`}`
}

/** Bytes of the log that wait for its reader. */
const mostWaiting = 1 << 20

const isoTime = (): string => `,"time":"${new Date().toISOString()}"`

/**
 * Writes lines as long as somebody reads them: beyond `mostWaiting` they are dropped and counted, so that no answer
 * waits for a reader of the log.
 */
function lineWriter(stderr: Stderr): (line: string) => void {
  const shape = stderr.isTTY
    ? (line: string): string => plainLine(line).replace(control, shown)
    : (line: string): string => line
  let dropped = 0
  return line => {
    if (stderr.writableLength > mostWaiting) {
      dropped++
      return
    }
    if (dropped > 0) {
      stderr.write(
        shape(
          `{"level":"warn"${isoTime()},"dropped":${dropped},"msg":"nobody read the log, so lines of it were dropped"}\n`
        )
      )
      dropped = 0
    }
    stderr.write(shape(line))
  }
}

/** What is said of a fault. A store says more of its own, with values of what it holds. */
const ofFault = new Set([
  'type',
  'message',
  'stack',
  'name',
  'code',
  'syscall',
  'severity',
  'table',
  'column',
  'constraint'
])

/** A fault by what helps to find it. */
const faultOf = (error: Error): object =>
  Object.fromEntries(Object.entries(stdSerializers.err(error)).filter(([name]) => ofFault.has(name)))

/**
 * Sentences on a terminal, JSON lines on stderr otherwise: results go to stdout. It never receives a body, a query, a
 * credential or an address.
 */
export function createLog(level: string, stderr: Stderr): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: faultOf },
      timestamp: isoTime,
      formatters: { level: (label: string) => ({ level: label }) }
    },
    { write: lineWriter(stderr) }
  )
}

/**
 * Access log: failures of the service as errors, every other answer at debug. A request is named by the pattern of its
 * route and its request id, the caller by a hash that changes each day, so days cannot be joined.
 */
export function accessLog(log: Logger): Observer | undefined {
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
