import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { send } from './load.ts'
import { residentBytes } from './processor-time.ts'
import { servePantry } from './program.ts'
import type { Setting } from './rounds.ts'
import type { Scenario } from './scenarios.ts'
import { startServer } from './servers.ts'
import { largeDocuments } from './take-sample.ts'

const megabytes = (id: number): number => residentBytes(id) / 1e6
const idleSeconds = 25
/** Query strings that nobody declared, over documents small and large. */
const paths = ['/api/v1/welcome', '/api/v1/wake/fragments', ...largeDocuments]
const queries = 20_000

/**
 * What is in memory after a start, after some idle time, and after many different query strings; the last beside
 * Fastify.
 */
export async function measureMemory(
  setting: Setting,
  databaseUrl: string,
  rounds: number,
  say: (text: string) => void
): Promise<readonly Figure[]> {
  const found = {
    listening: [] as number[],
    idle: [] as number[],
    after: [] as number[],
    growth: [] as number[],
    fastify: [] as number[]
  }
  const askAll = async (url: string, pid: number): Promise<number> => {
    for (const path of paths) {
      const scenario: Scenario = { name: 'memory', about: '', path: `${path}?zz={random}`, connections: 10 }
      await send(
        {
          scenario,
          server: { url, pid, kill: () => {} },
          keys: setting.keys,
          connections: 10,
          databaseTime: setting.databaseTime
        },
        { amount: queries / paths.length }
      )
    }
    await sleep(1000)
    return megabytes(pid)
  }
  for (let round = 1; round <= rounds; round++) {
    const pantry = await servePantry({ DATABASE_URL: databaseUrl })
    const listening = megabytes(pantry.pid)
    await sleep(idleSeconds * 1000)
    const idle = megabytes(pantry.pid)
    const after = await askAll(pantry.url, pantry.pid)
    await pantry.stop()
    const other = await startServer('fastify', setting)
    const fastify = await askAll(other.url, other.pid)
    other.kill()
    say(
      `memory ${round} of ${rounds}: ${listening.toFixed(0)} MB, idle ${idle.toFixed(0)} MB, after ${queries} query strings ${after.toFixed(0)} MB, Fastify ${fastify.toFixed(0)} MB`
    )
    for (const [name, value] of Object.entries({
      listening,
      idle,
      after,
      growth: after / idle,
      fastify: fastify / after
    }))
      found[name as keyof typeof found].push(value)
  }
  return [
    {
      scenario: 'memory',
      about: 'in memory when the port is open',
      of: 'at the start',
      unit: 'MB',
      values: found.listening
    },
    {
      scenario: 'memory',
      about: `in memory after ${idleSeconds} idle seconds`,
      of: 'idle',
      unit: 'MB',
      most: 120,
      values: found.idle
    },
    {
      scenario: 'memory',
      about: 'in memory after 20,000 different query strings',
      of: 'after 20,000 queries',
      unit: 'MB',
      values: found.after
    },
    {
      scenario: 'memory',
      about: 'in memory after 20,000 different query strings, beside idle',
      of: 'own idle',
      unit: 'times',
      most: 1.3,
      values: found.growth
    },
    {
      scenario: 'memory',
      about: 'memory of Fastify after the same',
      of: 'fastify',
      unit: 'times',
      least: 1 / 0.85,
      values: found.fastify
    }
  ]
}
