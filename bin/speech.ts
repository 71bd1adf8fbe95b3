import { formatDiagnostics } from '../core/diagnostics/format.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { createLog } from '../core/http/log.ts'
import type { exitStatusOf } from './faults.ts'
import { colourSeverity, print, type Io } from './io.ts'

/** How a process that serves speaks of itself on stderr: what it does, what is odd, what is wrong, why it ends. */
type Speech = Readonly<{
  say: (line: string) => void
  warn: (line: string) => void
  report: (diagnostics: readonly Diagnostic[]) => void
  fail: (ending: ReturnType<typeof exitStatusOf>) => void
}>

/**
 * Returns what writes lines of the log where that is JSON, at every `LOG_LEVEL`, so that all of stderr can be parsed.
 * On a terminal, and where the level `silent` leaves no log, it writes plain text.
 */
export function createSpeech(stderr: NodeJS.WriteStream, level: string, env: Io['env'] = process.env): Speech {
  if (stderr.isTTY || level === 'silent')
    return {
      say: line => {
        print(stderr, line)
      },
      warn: line => {
        print(stderr, `warning: ${line}`)
      },
      report: diagnostics => {
        print(stderr, colourSeverity(formatDiagnostics(diagnostics, 'pretty'), stderr, env))
      },
      fail: ({ text }) => {
        print(stderr, text)
      }
    }
  const log = createLog('info', stderr)
  return {
    say: line => {
      log.info(line)
    },
    warn: line => {
      log.warn(line)
    },
    report: diagnostics => {
      for (const { code, severity, file, span, message, hint } of diagnostics)
        log[severity === 'error' ? 'error' : 'warn'](
          { code, place: `${file}:${span.line}:${span.column}`, fix: hint },
          message
        )
    },
    fail: ({ text, fault }) => {
      const err = /^(?:trace|debug)$/.test(level) ? fault?.cause : undefined
      log.fatal({ code: fault?.code, fix: fault?.fix, err }, fault?.message ?? text.replace(/^error: /, ''))
    }
  }
}
