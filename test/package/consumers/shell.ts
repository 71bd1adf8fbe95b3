import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Node } from './design.ts'

/**
 * Variables of this machine that a consumer has as well: where its home and its certificates are, and by which proxy it
 * asks.
 */
const passed = /^(?:HOME|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:https?|no)_proxy)$/i

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of a consumer: its Node and the package managers, before what the machine has. */
export function environmentOf(tools: string, node: Node): Environment {
  const installed = join(tools, 'node_modules')
  // The program of Bun is in the package for this platform: the one that is named so waits for an install script.
  const first = [
    join(installed, node.name, 'bin'),
    join(installed, `@oven/bun-${process.platform}-${process.arch}`, 'bin'),
    join(installed, '.bin')
  ]
  const rest = (process.env['PATH'] ?? '').split(delimiter).filter(folder => !folder.includes('node_modules'))
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
    PATH: [...first, ...rest].join(delimiter),
    NO_COLOR: '1',
    PORT: '0',
    npm_config_update_notifier: 'false',
    // Yarn knows a tarball by its name and version: a cache of another run has another one. Two that install at the
    // same time, each on its own Node, would delete each other's files in one cache.
    YARN_CACHE_FOLDER: join(tools, `yarn-cache-${node.name}`)
  }
}

/** Process groups that were started and have not ended. */
const running = new Set<ChildProcess>()

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export const killAll = (): void => {
  for (const child of running) kill(child, 'SIGKILL')
}

type Where = Readonly<{ cwd: string; env: Environment }>

/** Starts a command in a group of its own. `said` is what it has printed. */
function start(
  [command = '', ...args]: readonly string[],
  { cwd, env }: Where
): Readonly<{ child: ChildProcess; ended: Promise<number | null>; said: () => string }> {
  const child = spawn(command, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  running.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  const ended = once(child, 'close')
    .then(([code]) => code as number | null)
    .finally(() => {
      running.delete(child)
    })
  return { child, ended, said: () => text }
}

const failed = (command: readonly string[], what: string, said: string): Error =>
  new Error(`\`${command.join(' ')}\` ${what}:\n${said.trim().split('\n').slice(-40).join('\n')}`)

/** What a person types; resolves to what was printed. A command that hangs is ended. */
export async function run(command: readonly string[], where: Where, seconds = 180): Promise<string> {
  const { child, ended, said } = start(command, where)
  let late = false as boolean
  const clock = setTimeout(() => {
    late = true
    kill(child, 'SIGKILL')
  }, seconds * 1000)
  const code = await ended.finally(() => {
    clearTimeout(clock)
  })
  if (code !== 0)
    throw failed(command, late ? `had not ended after ${seconds} seconds` : `ended with ${code ?? 'a signal'}`, said())
  return said()
}

/**
 * A program that prints `listening on <origin>`, while `work` asks it. It must then end when it is asked to, with one
 * of the codes; `null` is a signal.
 */
export async function whileListening<T>(
  command: readonly string[],
  where: Where,
  codes: readonly (number | null)[],
  work: (origin: string) => Promise<T>
): Promise<T> {
  const { child, ended, said } = start(command, where)
  let late = false as boolean
  const give = (seconds: number) =>
    setTimeout(() => {
      late = true
      kill(child, 'SIGKILL')
    }, seconds * 1000)
  const clock = give(120)
  try {
    const listening = new Promise<string>(resolve => {
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', line => {
        if (line.startsWith('listening on ')) resolve(line.slice('listening on '.length))
      })
    })
    const origin = await Promise.race([
      listening,
      ended.then(() => {
        throw failed(command, 'ended before it listened', said())
      })
    ])
    return await work(origin)
  } finally {
    clearTimeout(clock)
    const end = give(30)
    kill(child, 'SIGTERM')
    const code = await ended.finally(() => {
      clearTimeout(end)
    })
    if (late || !codes.includes(code))
      throw failed(command, late ? 'did not end when it was asked to' : `ended with ${code ?? 'a signal'}`, said())
  }
}
