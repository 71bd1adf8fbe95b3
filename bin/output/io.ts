import type { ExitCode } from './exit.ts'

/**
 * The parts of the process that a command may use. Results go to `stdout`; progress, logs and diagnostic summaries to
 * `stderr`.
 */
export type Io = Readonly<{
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
  /** Emits `SIGINT`, `SIGTERM` and `SIGHUP`: the process itself, or a substitute in tests. */
  signals: NodeJS.EventEmitter
  /** Ends the process even if output is still waiting to be read. */
  exit: (code: ExitCode) => void
}>

/** Returns the `Io` of this process. */
export const processIo = (): Io => ({
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signals: process,
  exit: code => {
    process.exit(code)
  }
})

/** Writes the text with exactly one final newline; writes nothing for empty text. */
export function print(stream: NodeJS.WritableStream, text: string): void {
  if (text !== '') stream.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Prints a value as JSON that people can read. */
export const printJson = (stream: NodeJS.WritableStream, value: unknown): void => {
  print(stream, JSON.stringify(value, null, 2))
}

export { counted as count } from '../../core/diagnostics/counted.ts'
