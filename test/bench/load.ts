import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { Candidate } from './scenarios.ts'

/** One measurement of one server process. */
export type Measure = Readonly<{ perSecond: number, p50: number, p99: number, cpuMicroseconds: number, wrong: number }>

const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0

/** Keeps a process, and what it starts, on one core. */
export function pinSelf (core: number): void {
  if (canPin) spawnSync('taskset', ['-pc', String(core), String(process.pid)])
}

const answerOf = <T>(child: ChildProcess, wanted: string): Promise<T> => new Promise((resolve, reject) => {
  const onMessage = (message: unknown): void => {
    if (typeof message !== 'object' || message === null || !(wanted in message)) return
    child.off('message', onMessage)
    resolve((message as Record<string, T>)[wanted] as T)
  }
  child.on('message', onMessage)
  child.once('exit', code => { reject(new Error(`The server ended with ${code ?? 'a signal'}.`)) })
})

const cpuOf = async (child: ChildProcess): Promise<number> => {
  const used = answerOf<NodeJS.CpuUsage>(child, 'cpu')
  child.send('cpu')
  const { user, system } = await used
  return user + system
}

export type Load = Readonly<{ paths: readonly string[], conditional: boolean, status: number, seconds: number, connections: number }>

/** The condition that a client of this server would send: each makes entity tags of its own. */
async function conditionOf (url: string): Promise<Record<string, string>> {
  const etag = (await fetch(url)).headers.get('etag')
  return { 'If-None-Match': etag ?? '*' }
}

/** Starts a candidate on core 0 in a fresh process, warms it up, and measures it from this process. */
export async function measure (candidate: Candidate, sampleFile: string, { paths, conditional, status, seconds, connections }: Load): Promise<Measure> {
  const file = fileURLToPath(new URL(`candidates/${candidate}.js`, import.meta.url))
  const [command, args] = canPin ? ['taskset', ['-c', '0', process.execPath, file]] as const : [process.execPath, [file]] as const
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production', BENCH_SAMPLE: sampleFile } })
  try {
    const port = await answerOf<number>(child, 'port')
    const headers = conditional ? await conditionOf(`http://127.0.0.1:${port}${paths[0] ?? ''}`) : {}
    const requests = paths.map(path => ({ method: 'GET' as const, path, headers }))
    const run = (duration: number): Promise<autocannon.Result> => autocannon({ url: `http://127.0.0.1:${port}`, connections, duration, requests, timeout: 10 })
    await run(1)
    const before = await cpuOf(child)
    const result = await run(seconds)
    const used = await cpuOf(child) - before
    const counts: Readonly<Record<string, { count: number } | undefined>> = result.statusCodeStats as never
    const right = counts[String(status)]?.count ?? 0
    return { perSecond: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99, cpuMicroseconds: used / result.requests.total, wrong: result.requests.total - right + result.errors }
  } finally {
    child.kill('SIGKILL')
  }
}
