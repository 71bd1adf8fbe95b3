import { relative } from 'node:path'
import { counted as count } from '../core/diagnostics/diagnostic.ts'

/**
 * The parts of the process that a command may use. Results go to `stdout`; progress, logs and diagnostic summaries to
 * `stderr`.
 */
export type Io = Readonly<{
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
  /** Emits `SIGINT`, `SIGTERM` and `SIGHUP`. */
  signals: NodeJS.EventEmitter
  /** Ends the process even if output is not read yet. */
  exit: (code: ExitCode) => void
}>

export const processIo = (): Io => ({
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signals: process,
  exit: code => {
    process.exit(code)
  }
})

/** Writes the text, with a final newline added if it has none; writes nothing for empty text. */
export function print(stream: NodeJS.WritableStream, text: string): void {
  if (text !== '') stream.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Prints indented JSON. */
export const printJson = (stream: NodeJS.WritableStream, value: unknown): void => {
  print(stream, JSON.stringify(value, null, 2))
}

/** Prints JSON if that is the format asked for, otherwise the text. */
export function printAs(stream: NodeJS.WritableStream, format: string, value: unknown, text: () => string): void {
  if (format === 'json') printJson(stream, value)
  else print(stream, text())
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export { count }

const maxFiles = 3

/** Returns the first three paths, relative to the working folder, and the number of others. */
export function shownFiles(files: readonly string[]): string {
  const shown = files.slice(0, maxFiles).map(file => relative(process.cwd(), file))
  return shown.join(', ') + (files.length > maxFiles ? ` and ${count(files.length - maxFiles, 'other file')}` : '')
}

/**
 * Whether a stream has colour: only terminals do, and only without `NO_COLOR` (https://no-color.org). `FORCE_COLOR`
 * overrides both, as in Node.js: `0` and `false` mean no colour, any other value colour (https://force-color.org).
 * Empty variables count as unset.
 */
function hasColour(stream: NodeJS.WriteStream, env: Io['env']): boolean {
  const forced = env.FORCE_COLOR ?? ''
  return forced === '' ? stream.isTTY && (env.NO_COLOR ?? '') === '' : forced !== '0' && forced !== 'false'
}

const red = '31'
const yellow = '33'

/** Colours the severities in diagnostics, if the stream has colour. */
export function colourSeverity(text: string, stream: NodeJS.WriteStream, env: Io['env']): string {
  if (!hasColour(stream, env)) return text
  return text.replaceAll(
    /(?<=^\S+: )(error|warning)\[\w+\]/gm,
    mark => `\u001b[${mark.startsWith('error') ? red : yellow}m${mark}\u001b[0m`
  )
}

/** Exit codes: 0 fine, 1 findings, 2 wrong usage or configuration, 3 environment (database, disk, network). */
export type ExitCode = 0 | 1 | 2 | 3

/** Findings that end a command, such as mistakes in manifests. The message is printed, and the process exits with 1. */
export class FindingsError extends Error {}
