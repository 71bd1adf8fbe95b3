import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'
import { library } from '../support/command-line.ts'
import { program } from '../support/program.ts'

export type Serving = Readonly<{
  child: ChildProcess
  url: string
  port: number
  /** What it has written to stderr. */
  words: () => string
  status: (path: string, init?: RequestInit) => Promise<number>
  /**
   * Sends a signal and answers with the code or the signal that ended the process; rejects when it is still there after
   * so many seconds.
   */
  ended: (signal: NodeJS.Signals, seconds?: number) => Promise<unknown>
}>

type Options = Readonly<{
  env?: NodeJS.ProcessEnv
  root?: string
  /** Options of Node. */ node?: readonly string[]
  /** A shell command that runs it: `ulimit -n 128 && exec "$@"`. */ shell?: string
  /** Whether to wait until it listens, as is usual. */ waits?: boolean
}>

/**
 * `pantry serve` as a process of its own, over the library unless a root is named (`.`: the whole service), once it
 * listens.
 */
export async function serving(
  t: Test,
  { env = {}, root = library, node = [], shell, waits = true }: Options = {}
): Promise<Serving> {
  const command = [
    process.execPath,
    ...node,
    ...program('bin/commands/pantry'),
    'serve',
    ...(root === '.' ? [] : ['--root', root]),
    '--port',
    '0'
  ]
  const [name = '', ...args] = shell === undefined ? command : ['/bin/sh', '-c', shell, 'sh', ...command]
  const child = spawn(name, args, {
    env: { ...process.env, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => {
    child.kill('SIGKILL')
  })
  let words = ''
  let said = ''
  child.stderr.on('data', chunk => {
    words += String(chunk)
  })
  child.stdout.on('data', chunk => {
    said += String(chunk)
  })
  const url = await new Promise<string>((resolve, reject) => {
    if (!waits) resolve('http://127.0.0.1:0')
    child.stdout.on('data', () => {
      resolve(/^listening on (\S+)$/m.exec(said)?.[1] ?? 'http://127.0.0.1:0')
    })
    child.on('exit', () => {
      reject(new Error(`It ended: ${words}`))
    })
  })
  return {
    child,
    url,
    port: Number(new URL(url).port),
    words: () => words,
    status: async (path, init) => {
      const answer = await fetch(url + path, { signal: AbortSignal.timeout(20_000), ...init })
      await answer.arrayBuffer()
      return answer.status
    },
    async ended(signal, seconds = 9) {
      child.kill(signal)
      if (child.exitCode !== null) return child.exitCode
      const [code, by] = (await once(child, 'exit', { signal: AbortSignal.timeout(seconds * 1_000) })) as unknown[]
      return code ?? by
    }
  }
}

/** A connection that has sent these bytes, and everything it gets until it is closed. */
export async function talking(port: number, text: string): Promise<{ socket: Socket; all: Promise<string> }> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  let got = ''
  socket.on('data', chunk => {
    got += chunk.toString('latin1')
  })
  socket.write(text)
  return {
    socket,
    all: new Promise(resolve => {
      socket.on('close', () => {
        resolve(got)
      })
    })
  }
}
