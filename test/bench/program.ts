import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageFolder } from '../../bin/project.ts'
import { processorTime } from './processor-time.ts'

/** Milliseconds until something had happened, and of processor time until then. */
export type Took = Readonly<{ wall: number; processor: number }>

const program = join(packageFolder, 'dist/bin/pantry.js')

/**
 * Processor time of all children of this process that have ended, in milliseconds. The kernel counts it in hundredths
 * of a second.
 */
function childrenMs(): number {
  const [, , , , , , , , , , , , , user, system] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/\(.*\)/, '')
    .split(/ +/)
  return (Number(user) + Number(system)) * 10
}

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, args, {
    cwd: packageFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', ...env }
  })

/** Runs Node with these arguments to its end, some times; what one of them took. */
export async function runs(args: readonly string[], times: number, env: NodeJS.ProcessEnv = {}): Promise<Took> {
  const [before, from] = [childrenMs(), performance.now()]
  for (let count = 0; count < times; count++) {
    const child = start(args, env)
    child.stdout?.resume()
    let said = ''
    child.stderr?.on('data', (text: Buffer) => {
      said += text.toString()
    })
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}: ${said.slice(-500)}`)
  }
  return { wall: (performance.now() - from) / times, processor: (childrenMs() - before) / times }
}

export const validate = async (roots: readonly string[]): Promise<Took> =>
  await runs([program, 'validate', ...roots.flatMap(root => ['--root', root])], 1)

const isReady = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, response => {
      response.resume()
      resolve(response.statusCode === 200)
    }).on('error', () => {
      resolve(false)
    })
  })

export type Serving = Readonly<{ url: string; pid: number; listening: Took; ready: Took; stop: () => Promise<void> }>

/** `pantry serve`, as an operator starts it. */
export async function servePantry(env: NodeJS.ProcessEnv): Promise<Serving> {
  const from = performance.now()
  const child = start([program, 'serve'], { PORT: '0', LOG_LEVEL: 'error', ...env })
  const pid = child.pid ?? 0
  const now = (): Took => ({ wall: performance.now() - from, processor: processorTime(pid).ran / 1000 })
  let said = ''
  child.stderr?.on('data', (text: Buffer) => {
    said += text.toString()
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      const found = /^listening on (\S+)$/m.exec(text.toString())?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', code => {
      reject(new Error(`pantry serve ended with ${code}: ${said.slice(-500)}`))
    })
  })
  const listening = now()
  while (!(await isReady(Number(new URL(url).port)))) await sleep(2)
  return {
    url,
    pid,
    listening,
    ready: now(),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  }
}
