import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { program } from './program.ts'

export type Service = Readonly<{ child: ChildProcess; url: string; adminUrl: string; stderr: () => string }>

type ServiceOptions = Readonly<{
  /** `dev` has no admin port. */
  command?: 'serve' | 'dev'
  args: readonly string[]
  env?: NodeJS.ProcessEnv
  isLogRead?: boolean
  hasOwnGroup?: boolean
}>

/**
 * `pantry serve`, or another command that serves, as a process of its own on free ports. Rejects when it ends before it
 * listens, with what it said.
 */
export async function startService(
  t: Pick<Test, 'teardown'>,
  { command = 'serve', args, env = {}, isLogRead = true, hasOwnGroup = false }: ServiceOptions
): Promise<Service> {
  const child = spawn(
    process.execPath,
    [
      ...program('bin/commands/pantry'),
      command,
      '--port',
      '0',
      ...(command === 'serve' ? ['--admin-port', '0'] : []),
      ...args
    ],
    { env: { ...process.env, LOG_LEVEL: 'silent', ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: hasOwnGroup }
  )
  t.teardown(() => {
    child.kill('SIGKILL')
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', chunk => {
      said[name] += String(chunk)
    })
  const found = (name: keyof typeof said, pattern: RegExp): Promise<string> =>
    new Promise(resolve => {
      child[name].on('data', () => {
        const [, url] = pattern.exec(said[name]) ?? []
        if (url !== undefined) resolve(url)
      })
    })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`It ended with ${String(code)}: ${said.stderr}`)
  })
  const [url, adminUrl] = await Promise.race([
    Promise.all([
      found('stdout', /^listening on (\S+)$/m),
      command === 'serve' ? found('stderr', /\badmin port on ([^\s"]+)/) : ''
    ]),
    ended
  ])
  ended.catch(() => undefined)
  // From here on the pipe fills.
  if (!isLogRead) child.stderr.pause()
  return { child, url, adminUrl, stderr: () => said.stderr }
}

/** Rejects when the process is not gone in the nine seconds that it promises; a container is killed after ten. */
export async function stopService({ child }: Pick<Service, 'child'>): Promise<unknown> {
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(9_000) })) as unknown[]
  return code
}

/** Ids of the worker processes of a service, from `/proc`. */
export const workersOf = ({ child }: Pick<Service, 'child'>): readonly number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        // The name of a process may hold spaces and parentheses.
        return (
          readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(child.pid) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workers')
        )
      } catch {
        return false
      }
    })
