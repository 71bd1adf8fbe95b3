import { pino, stdSerializers, type Logger } from 'pino'

type Stderr = Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'writableLength'>

/** Control characters except tab and line feed: a terminal would interpret them. */
const control = /(?![\t\n])\p{Cc}/gu

const ownFields = new Set(['level', 'time', 'subsystem', 'msg', 'err'])

const shown = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`

function plainLine(line: string): string {
  const entry = JSON.parse(line) as Readonly<
    Record<string, unknown> & { level: string; msg: string; err?: { stack?: string } }
  >
  if (entry.level === 'info') return `${entry.msg}\n`
  const facts = Object.entries(entry)
    .filter(([name]) => !ownFields.has(name))
    .map(([name, fact]) => ` ${name}=${typeof fact === 'string' ? fact : JSON.stringify(fact)}`)
  return `${entry.level}: ${entry.msg}${facts.join('')}\n${entry.err?.stack === undefined ? '' : `${entry.err.stack}\n`}`
}

/** Maximum bytes of log output that may wait to be read. */
const maxWaiting = 1 << 20

const isoTime = (): string => `,"time":"${new Date().toISOString()}"`

/** Returns a function that writes log lines. While the reader of stderr is slow, lines are dropped and counted. */
function lineWriter(stderr: Stderr, isPlain: boolean): (line: string) => void {
  const write = (line: string): void => {
    stderr.write(isPlain ? plainLine(line).replace(control, shown) : line)
  }
  let dropped = 0
  return line => {
    if (stderr.writableLength > maxWaiting) {
      dropped++
      return
    }
    if (dropped > 0) {
      const msg = 'nobody read the log, so lines of it were dropped'
      write(`{"level":"warn"${isoTime()},"dropped":${dropped},"msg":"${msg}"}\n`)
      dropped = 0
    }
    write(line)
  }
}

/** The properties of an error that are logged. Errors of a database have others, which may contain stored values. */
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

const faultOf = (error: Error): object =>
  Object.fromEntries(Object.entries(stdSerializers.err(error)).filter(([name]) => ofFault.has(name)))

/**
 * Creates the log on stderr: sentences if it is plain (by default on a terminal), otherwise JSON lines. Of an error
 * only the properties in `ofFault` are logged. Callers log no bodies, queries, credentials or addresses.
 */
export function createLog(level: string, stderr: Stderr, isPlain: boolean = stderr.isTTY): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: faultOf },
      timestamp: isoTime,
      formatters: { level: (label: string) => ({ level: label }) }
    },
    { write: lineWriter(stderr, isPlain) }
  )
}
