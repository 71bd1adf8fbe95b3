import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageFolder } from '../../bin/project.ts'
import type { Target } from '../../core/database/connection.ts'
import { program } from './program.ts'

/** A migrated database to copy from, and one without any table. */
export const templates = { migrated: 'pantry_template', empty: 'template0' } as const

const startLimit = 60_000

/**
 * The one PostgreSQL cluster of this test run. The first test file that needs it starts a holder process; the others
 * find it. The holder ends, and its folder goes, when the process that runs the tests is gone. A run without database
 * tests starts nothing.
 */
export async function runCluster(): Promise<Exclude<Target, { url: string }>> {
  const runner = Number(
    process.env['PANTRY_TEST_RUN'] ?? (process.env['TAP'] === undefined ? process.pid : process.ppid)
  )
  const folder = join(tmpdir(), `pantry-test-${runner}`)
  if (claim(folder)) start(folder, runner)
  for (let waited = 0; waited < startLimit; waited += 50) {
    const answer = read(join(folder, 'ready.json'))
    if (answer !== undefined) return JSON.parse(answer) as Exclude<Target, { url: string }>
    const failure = read(join(folder, 'failed.txt'))
    if (failure !== undefined) throw new Error(`The test cluster did not start: ${failure}`)
    await sleep(50)
  }
  throw new Error(`The test cluster did not start in time; see ${join(folder, 'holder.log')}.`)
}

function claim(folder: string): boolean {
  // A run with the same process id has ended long ago when its holder no longer lives.
  const pid = Number(read(join(folder, 'holder.pid')) ?? '0')
  if (pid > 0 && !isAlive(pid)) rmSync(folder, { recursive: true, force: true })
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

function start(folder: string, runner: number): void {
  const log = openSync(join(folder, 'holder.log'), 'a')
  // The migrations are those of the project, wherever the test that comes first has gone.
  spawn(process.execPath, [...program('test/support/cluster-holder'), folder, String(runner)], {
    cwd: packageFolder,
    detached: true,
    stdio: ['ignore', log, log]
  }).unref()
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
