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
  const onExit = (code: number | null): void => { reject(new Error(`The server ended with ${code ?? 'a signal'}.`)) }
  const onMessage = (message: unknown): void => {
    if (typeof message !== 'object' || message === null || !(wanted in message)) return
    child.off('message', onMessage)
    child.off('exit', onExit)
    resolve((message as Record<string, T>)[wanted] as T)
  }
  child.on('message', onMessage)
  child.once('exit', onExit)
})

/** A candidate that listens. `cpu` answers the processor time it has used, in microseconds. */
export type Started = Readonly<{ url: string, cpu: () => Promise<number>, kill: () => void }>

/** Starts a candidate on core 0 in a fresh process. */
export async function startCandidate (candidate: Candidate, sampleFile: string): Promise<Started> {
  const file = fileURLToPath(new URL(`candidates/${candidate}.js`, import.meta.url))
  const [command, args] = canPin ? ['taskset', ['-c', '0', process.execPath, file]] as const : [process.execPath, [file]] as const
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production', BENCH_SAMPLE: sampleFile } })
  const kill = (): void => { child.kill('SIGKILL') }
  try {
    const port = await answerOf<number>(child, 'port')
    return {
      url: `http://127.0.0.1:${port}`,
      kill,
      async cpu () {
        const used = answerOf<NodeJS.CpuUsage>(child, 'cpu')
        child.send('cpu')
        const { user, system } = await used
        return user + system
      }
    }
  } catch (error) {
    kill()
    throw error
  }
}

/** Answers of a run that did not have the wanted status, or did not come. */
export function wrongOf (result: autocannon.Result, status: number): number {
  const counts: Readonly<Record<string, { count: number } | undefined>> = result.statusCodeStats as never
  return result.requests.total - (counts[String(status)]?.count ?? 0) + result.errors
}

export type Load = Readonly<{ paths: readonly string[], conditional: boolean, status: number, seconds: number, connections: number }>

/** The condition that a client of this server would send: each makes entity tags of its own. */
async function conditionOf (url: string): Promise<Record<string, string>> {
  const etag = (await fetch(url)).headers.get('etag')
  return { 'If-None-Match': etag ?? '*' }
}

/** Starts a candidate, warms it up, and measures it from this process. */
export async function measure (candidate: Candidate, sampleFile: string, { paths, conditional, status, seconds, connections }: Load): Promise<Measure> {
  const { url, cpu, kill } = await startCandidate(candidate, sampleFile)
  try {
    const headers = conditional ? await conditionOf(`${url}${paths[0] ?? ''}`) : {}
    const requests = paths.map(path => ({ method: 'GET' as const, path, headers }))
    const run = (duration: number): Promise<autocannon.Result> => autocannon({ url, connections, duration, requests, timeout: 10 })
    await run(1)
    const before = await cpu()
    const result = await run(seconds)
    const used = await cpu() - before
    return { perSecond: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99, cpuMicroseconds: used / result.requests.total, wrong: wrongOf(result, status) }
  } finally {
    kill()
  }
}
