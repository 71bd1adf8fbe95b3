import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { silent } from '../../core/database/connection.ts'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { testDatabase } from './database.ts'
import { generationOf, serveGeneration, type Served } from './serve-root.ts'

export const someSeed = (): string => randomBytes(32).toString('hex')

export type Answer = Readonly<{
  status: number
  data: Record<string, unknown>
  error: { code: string; details: Record<string, unknown> }
  retryAfter: string | null
}>

export type Proving = Readonly<{
  served: Served
  database: Database
  ask: (path: string, body?: unknown) => Promise<Answer>
  /** Begins and opens so many draws; gives their ids. */
  drawn: (count: number, set?: string) => Promise<readonly string[]>
}>

/** A service over a database of its own, with its own data folder, and ways to draw. */
export async function serveDraws(t: Test, drawsADay = 10_000, url?: string): Promise<Proving> {
  const held = url ?? (await testDatabase(t)).url
  const database = await openDatabase({ url: held, dataDir: '', log: silent, isPatient: true })
  t.teardown(async () => {
    await database.close()
  })
  t.testdir({})
  const served = await serveGeneration(
    t,
    await generationOf(t, ['.'], { databaseUrl: held, settings: { signUp: 'closed', drawsADay } })
  )
  const ask = async (path: string, body?: unknown): Promise<Answer> => {
    const answer = await served.get(
      path,
      body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    )
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      ...((await answer.json()) as Pick<Answer, 'data' | 'error'>)
    }
  }
  const drawn = async (count: number, set = 'a1'): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) {
      const {
        data: { id }
      } = await ask('/api/v1/draws', { set })
      await ask(`/api/v1/draws/${String(id)}/open`, { client_seed: someSeed() })
      ids.push(String(id))
    }
    return ids
  }
  return { served, database, ask, drawn }
}
