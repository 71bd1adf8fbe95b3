import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Message, Outcome } from './worker.ts'

export type Job = Readonly<{ file: string; alone: boolean }>
export type Finished = Outcome & Readonly<{ ms: number }>

const worker = fileURLToPath(new URL('worker.js', import.meta.url))
/**
 * With it `pantry/handler` and the other exported names are the files below `.test`, so that code and tests share one
 * copy of the framework.
 */
const conditions = '--conditions=pantry-test'
/** Megabytes for what has just been made: tests make much at once, and it is looked through less often. */
const young = '--max-semi-space-size=64'
/** How long a file may take, in milliseconds: then its tests are ended. */
export const limitOf = (env: NodeJS.ProcessEnv): number => Number(env['PANTRY_TEST_SECONDS'] ?? 300) * 1000
/** How many of these limits a process may take that does not end its tests itself. */
const patience = 2
/** How long a process may take to end when it has nothing left to do, in milliseconds. */
const endLimit = 60_000

const broken = (file: string, name: string, diagnostics: unknown = null): Outcome => ({
  file,
  pass: 0,
  fail: 1,
  todo: 0,
  skips: [],
  failures: [{ name, diagnostics }]
})

/** One process, started when it is first needed, and again when a file ended it or asks to be alone. */
class Worker {
  readonly #env: NodeJS.ProcessEnv
  #child: Promise<ChildProcess> | undefined
  #ran: string[] = []

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  #started(): Promise<ChildProcess> {
    const child = fork(worker, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: this.#env,
      execArgv: [...process.execArgv, conditions, young]
    })
    return new Promise((resolve, reject) => {
      child.on('message', (message: Message) => {
        if (message.pantry === 'ready') resolve(child)
      })
      child.once('error', reject).once('exit', () => {
        reject(new Error('A test process did not start.'))
      })
    })
  }

  async run(file: string): Promise<Finished> {
    const began = performance.now()
    const child = await (this.#child ??= this.#started())
    this.#ran.push(file)
    const outcome = await new Promise<Outcome>(resolve => {
      const limit = setTimeout(
        () => {
          child.kill('SIGKILL')
        },
        patience * limitOf(this.#env)
      )
      const onEnd = (code: number | null, signal: string | null): void => {
        done(broken(file, `The process ended in the middle of it: ${signal ?? `exit code ${code ?? ''}`}`))
      }
      const onMessage = (message: Message): void => {
        if (message.pantry === 'outcome') done(message.outcome)
      }
      const done = (result: Outcome): void => {
        clearTimeout(limit)
        child.off('message', onMessage).off('exit', onEnd)
        if (child.exitCode !== null || child.signalCode !== null) this.#child = undefined
        resolve(result)
      }
      child.on('message', onMessage).on('exit', onEnd)
      child.send(file)
    })
    const ms = Math.round(performance.now() - began)
    if (ms >= limitOf(this.#env)) await this.#drop()
    return { ...outcome, ms }
  }

  /** Ends a process in which a test may still be at work: it would disturb the files that come after it. */
  async #drop(): Promise<void> {
    const child = await this.#child
    this.#child = undefined
    this.#ran.length = 0
    child?.kill('SIGKILL')
  }

  /** Waits for the process to end by itself; answers with what is wrong when it does not. */
  async end(): Promise<Outcome | undefined> {
    const child = await this.#child
    const files = this.#ran.splice(0)
    this.#child = undefined
    if (child === undefined) return undefined
    const ended = new Promise<boolean>(resolve => {
      const limit = setTimeout(() => {
        child.kill('SIGKILL')
        resolve(false)
      }, endLimit)
      child.once('exit', () => {
        clearTimeout(limit)
        resolve(true)
      })
    })
    child.disconnect()
    return (await ended)
      ? undefined
      : broken(files.at(-1) ?? '', `One of these leaves something open: the process did not end.`, { files })
  }
}

/**
 * Runs files in a few processes: most share one, those that say so get one of their own. The first in the list start
 * first.
 */
export async function runJobs(
  jobs: readonly Job[],
  processes: number,
  env: NodeJS.ProcessEnv,
  onFinished: (outcome: Finished) => void
): Promise<void> {
  const queue = [...jobs]
  await Promise.all(
    Array.from({ length: processes }, async () => {
      const shared = new Worker(env)
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        const own = job.alone ? new Worker(env) : shared
        onFinished(await own.run(job.file))
        const left = job.alone ? await own.end() : undefined
        if (left !== undefined) onFinished({ ...left, ms: 0 })
      }
      const left = await shared.end()
      if (left !== undefined) onFinished({ ...left, ms: 0 })
    })
  )
}
