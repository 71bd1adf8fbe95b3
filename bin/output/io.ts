import type { ExitCode } from './exit.ts'

/**
 * What a command may touch of the process: results go to `stdout`, progress, logs and diagnostic summaries to `stderr`.
 */
export type Io = Readonly<{
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
  /** Says `SIGINT`, `SIGTERM` and `SIGHUP`: the process itself, or a substitute. */
  signals: NodeJS.EventEmitter
  /** Ends the process, whatever still waits for a reader. */
  exit: (code: ExitCode) => void
}>

/** What a command touches of this process. */
export const processIo = (): Io => ({
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signals: process,
  exit: code => {
    process.exit(code)
  }
})

/** Writes text and ends it with one newline; nothing for empty text. */
export function print(stream: NodeJS.WritableStream, text: string): void {
  if (text !== '') stream.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Prints a value as JSON that people can read. */
export const printJson = (stream: NodeJS.WritableStream, value: unknown): void => {
  print(stream, JSON.stringify(value, null, 2))
}

export { counted as count } from '../../core/diagnostics/counted.ts'
