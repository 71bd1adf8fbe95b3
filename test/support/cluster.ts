import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageFolder } from '../../bin/project.ts'
import type { ServerTarget } from '../../core/database/connection.ts'
import { program } from './program.ts'

/** A migrated database to copy from, and one without any table. */
export const templates = { migrated: 'pantry_template', empty: 'template0' } as const

const startLimit = 60_000

/**
 * Databases come and go in a run, each with a thousand files, which costs a disk more than all that is asked of them.
 */
const memory = '/dev/shm'
const memoryNeeded = 2 ** 32

/** Every process of a run comes to the same answer: the size of a file system stays, what is free of it does not. */
function placeOfClusters(): string {
  try {
    const { blocks, bsize } = statfsSync(memory)
    return blocks * bsize >= memoryNeeded ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * The one PostgreSQL cluster of this test run. The first test file that needs it starts a holder process; the others
 * find it. The holder ends, and its folder goes, when the process that runs the tests is gone. A run without database
 * tests starts nothing.
 */
export async function runCluster(): Promise<Exclude<ServerTarget, { url: string }>> {
  const runner = Number(
    process.env['PANTRY_TEST_RUN'] ?? (process.env['TAP'] === undefined ? process.pid : process.ppid)
  )
  const place = placeOfClusters()
  const folder = join(place, `pantry-test-${runner}`)
  if (claim(folder)) {
    removeLeft(place)
    start(folder, runner)
  }
  for (let waited = 0; waited < startLimit; waited += 50) {
    const answer = read(join(folder, 'ready.json'))
    if (answer !== undefined) return JSON.parse(answer) as Exclude<ServerTarget, { url: string }>
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

/** Removes what runs have left whose processes were all killed at once: it would stay in memory. */
export function removeLeft(place: string): void {
  for (const name of readdirSync(place)) {
    const [, runner] = /^pantry-test-(\d+)$/.exec(name) ?? []
    const folder = join(place, name)
    // Another container may share the memory, and not the numbers of processes.
    const isOld =
      runner !== undefined &&
      (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - 86_400_000
    if (isOld && !isAlive(Number(runner))) rmSync(folder, { recursive: true, force: true })
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
