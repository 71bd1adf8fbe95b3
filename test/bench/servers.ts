import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Server } from './scenarios.ts'

const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0

/** Keeps a process, and what it starts, on one core. */
export function pinSelf(core: number): void {
  if (canPin) spawnSync('taskset', ['-pc', String(core), String(process.pid)])
}

/** A server that listens, in a process of its own on core 0. */
export type Started = Readonly<{ url: string; pid: number; kill: () => void }>

/** What a server is told: where the sample is, and the root with many surfaces. */
export type Told = Readonly<{ sampleFile: string; manySurfaces?: string }>

/** Starts a server in a fresh process. It says its port in a message once it listens. */
export async function startServer(server: Server, { sampleFile, manySurfaces = '' }: Told): Promise<Started> {
  const file = fileURLToPath(new URL(`candidates/${server === 'large' ? 'pantry' : server}.js`, import.meta.url))
  const [command, args] = canPin
    ? (['taskset', ['-c', '0', process.execPath, file]] as const)
    : ([process.execPath, [file]] as const)
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    BENCH_SAMPLE: sampleFile,
    BENCH_ROOT: server === 'large' ? manySurfaces : ''
  }
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', message => {
      resolve((message as { port: number }).port)
    })
    child.once('exit', code => {
      reject(new Error(`${server} ended with ${code ?? 'a signal'}.`))
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    kill: () => {
      child.kill('SIGKILL')
    }
  }
}
