import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { JsonValue } from 'pantry/data'
import { projectFolder } from '../../common/project-folder.ts'

/** One difference between what is held and what the second reader read. */
type Difference = Readonly<{
  kind: 'different' | 'missing' | 'more'
  native_id: string | null
  sku: string | null
  member: string | null
  read: JsonValue
  held: JsonValue
}>

/** The answer of the second reader. `files`: the SHA-256 of each file by its path. */
export type Reading = Readonly<{
  verdict: 'proved' | 'different' | 'not proved'
  reason: string | null
  counts: Readonly<Record<'rows' | 'sets' | Difference['kind'] | 'equal' | 'left_out' | 'repeated', number>> | null
  first: readonly Difference[]
  files: Readonly<Record<string, string>>
}>

const notProved = (reason: string): Reading => ({ verdict: 'not proved', reason, counts: null, first: [], files: {} })

/** Codes of errors of writing to a program that has ended or could not be started. */
const closed: readonly unknown[] = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']

/** The program, which follows the documentation and shares no code with the service. */
const program = join(projectFolder(import.meta.url), 'docs', 'second-reader')

/** `command`: the program that runs Python 3. `minutes`: how long it may take. */
export type SecondReaderOptions = Readonly<{ command?: string | undefined; minutes?: number | undefined }>

/**
 * Runs the second reader with the given values, one in each line. Without Python, or if the program fails or takes too
 * long, nothing is proved, and the reason says why. It gets nothing of the environment but where programs are.
 */
export async function readAgain(
  lines: AsyncIterable<unknown>,
  { command = 'python3', minutes = 30 }: SecondReaderOptions = {}
): Promise<Reading> {
  const child = spawn(command, ['-B', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
    signal: AbortSignal.timeout(minutes * 60_000),
    killSignal: 'SIGKILL'
  })
  const ended = new Promise<Error | number | null>(resolve => {
    child.once('error', resolve)
    child.once('exit', resolve)
  })
  const written = Readable.from(
    (async function* () {
      for await (const line of lines) yield `${JSON.stringify(line)}\n`
    })()
  )
  const [, answer, end] = await Promise.all([
    // A program that knows enough ends before it has read everything.
    pipeline(written, child.stdin).catch((problem: unknown) => {
      if (!(problem instanceof Error && 'code' in problem && closed.includes(problem.code))) throw problem
    }),
    text(child.stdout),
    ended
  ])
  if (end instanceof Error && end.name === 'AbortError')
    return notProved(`The second reader did not end in ${minutes} minutes.`)
  if (end instanceof Error) return notProved(`The second reader needs Python 3, and \`${command}\` cannot be started.`)
  if (end !== 0) return notProved('The second reader failed.')
  try {
    return JSON.parse(answer) as Reading
  } catch {
    return notProved('The second reader ended without an answer.')
  }
}
