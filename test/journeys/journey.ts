import { once } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What came of a step: `todo` says why it cannot be done today. */
type Step = Readonly<{ name: string; ms: number; failure?: string; todo?: string }>

/** How a journey went. `knows`: what its user had to know that nothing on the way told them. */
export type Travelled = Readonly<{ name: string; about: string; steps: readonly Step[]; knows: readonly string[] }>

/** What a journey is given. */
export type Travel = Readonly<{
  /** A folder of its own, which the user of the database can enter; it is gone at the end. */
  folder: string
  /** Does a step, and says how long it took. After one that failed no other is tried. */
  step: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Names a step that cannot be done today, with the reason. */
  todo: (name: string, why: string) => void
  /** Something that the user had to know beforehand. */
  knows: (what: string) => void
  /**
   * Runs a command of the shell to its end, and answers with what it printed; throws unless it ended with `code`, 0
   * where none is given.
   */
  shell: (command: string, options?: ShellOptions) => Promise<string>
  /** Starts a service by a command, and answers when it listens. It is ended with the journey, if not before. */
  start: (command: string, options?: ShellOptions) => Promise<Started>
  /** Does something at the end, whatever happened; the last first. */
  finally: (work: () => unknown) => void
}>

export type ShellOptions = Readonly<{ cwd?: string; env?: NodeJS.ProcessEnv; code?: number; input?: string }>
export type Started = Readonly<{
  url: string
  said: () => string
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}>

export type Journey = Readonly<{ name: string; about: string; travel: (with_: Travel) => Promise<void> }>

/** A way in which somebody uses Pantry, from the first step to the last, through the doors that they have. */
export const journey = (name: string, about: string, travel: Journey['travel']): Journey => ({ name, about, travel })

/** Milliseconds that a service may take to listen, and a command to end. */
const patience = 300_000

/** The processes of a journey are users: they know nothing of the run that tests them. */
const asUser = (own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$|PANTRY_|NODE_OPTIONS$|TAP)/.test(name))
  ),
  ...own
})

const endGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // All of it has ended.
  }
}

async function shellIn(
  folder: string,
  command: string,
  { cwd = folder, env, code: wanted = 0, input }: ShellOptions
): Promise<string> {
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: asUser(env),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      said += text.toString()
    })
  child.stdin?.end(input)
  const limit = setTimeout(() => {
    endGroup(child, 'SIGKILL')
  }, patience)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(limit)
  if (code !== wanted) throw new Error(`\`${command}\` ended with ${code ?? 'a signal'}:\n${said.slice(-3000)}`)
  return said
}

async function startIn(folder: string, command: string, { cwd = folder, env }: ShellOptions): Promise<Started> {
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: asUser({ PORT: '0', LOG_LEVEL: 'warn', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true
  })
  let said = ''
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    return await ended
  }
  const url = await new Promise<string>((resolve, reject) => {
    const limit = setTimeout(() => {
      reject(new Error(`\`${command}\` does not listen:\n${said.slice(-3000)}`))
    }, patience)
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        said += text.toString()
        const [, url] = /^listening on (\S+)$/m.exec(said) ?? []
        if (url === undefined) return
        clearTimeout(limit)
        resolve(url)
      })
    }
    void ended.then(code => {
      clearTimeout(limit)
      reject(new Error(`\`${command}\` ended with ${code ?? 'a signal'}:\n${said.slice(-3000)}`))
    })
  }).catch((error: unknown) => {
    endGroup(child, 'SIGKILL')
    throw error
  })
  return {
    url,
    said: () => said,
    stop: async signal => {
      const code = await stop(signal)
      endGroup(child, 'SIGKILL')
      return code
    }
  }
}

/** Goes a journey. It never throws: what failed is in its steps. */
export async function goOn({ name, about, travel }: Journey, say: (line: string) => void): Promise<Travelled> {
  const folder = mkdtempSync(join(tmpdir(), `pantry-journey-${name}-`))
  chmodSync(folder, 0o755)
  const [steps, knows, last]: [Step[], string[], (() => unknown)[]] = [[], [], []]
  const add = (step: Step): void => {
    steps.push(step)
    const mark = step.failure !== undefined ? 'FAILED' : step.todo !== undefined ? 'todo  ' : 'ok    '
    say(
      `${mark} ${(step.ms / 1000).toFixed(1).padStart(6)} s  ${step.name}${step.todo === undefined ? '' : `: ${step.todo}`}${step.failure === undefined ? '' : `\n${step.failure}`}`
    )
  }
  say(about)
  try {
    await travel({
      folder,
      step: async (name, work) => {
        const began = performance.now()
        try {
          const result = await work()
          add({ name, ms: performance.now() - began })
          return result
        } catch (error) {
          add({
            name,
            ms: performance.now() - began,
            failure: error instanceof Error ? (error.stack ?? error.message) : String(error)
          })
          throw error
        }
      },
      todo: (name, todo) => {
        add({ name, ms: 0, todo })
      },
      knows: what => {
        knows.push(what)
        say(`                 had to know: ${what}`)
      },
      shell: (command, options = {}) => shellIn(folder, command, options),
      start: async (command, options = {}) => {
        const started = await startIn(folder, command, options)
        last.push(() => started.stop('SIGKILL'))
        return started
      },
      finally: work => {
        last.push(work)
      }
    })
  } catch (error) {
    if (steps.at(-1)?.failure === undefined)
      add({
        name: 'what lies between the steps',
        ms: 0,
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error)
      })
  }
  for (const work of last.reverse()) {
    try {
      await work()
    } catch (error) {
      add({ name: 'the end', ms: 0, failure: String(error) })
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  return { name, about, steps, knows }
}

/** Throws unless something holds. */
export function holds(condition: unknown, what: string): asserts condition {
  if (condition === false || condition === undefined || condition === null || condition === '' || condition === 0)
    throw new Error(`It does not hold that ${what}.`)
}
