import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../bin/config.ts'
import { codeFolder, packageFolder } from '../../bin/project.ts'
import { serve, type RunningServer } from '../../bin/workers/serve.ts'
import { openAccounts } from '../../surfaces/people/open.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { filesOf, startCoverage } from './coverage.ts'
import { tops } from './sizes.ts'

type Request = () => Promise<unknown>
/** The service in this process, and its people. */
type Opened = Readonly<{
  ask: (path: string, body?: object, cookie?: string) => Promise<Record<string, unknown>>
  registry: RunningServer['registry']
  cookieOf: (name: string) => Promise<string>
}>
/** A request, and the most files that it should go through. The first of `requests` loads what is loaded once. */
type Way = Readonly<{ about: string; most?: number; requests: (opened: Opened) => Promise<readonly Request[]> }>

/** How often each is asked. */
const rounds = 4

/** A bid needs an auction, and is more than the last one. */
async function bids({ ask, cookieOf }: Opened): Promise<readonly Request[]> {
  const [seller, ...buyers] = [await cookieOf('seller'), await cookieOf('buyer'), await cookieOf('other')]
  const { auction_id: id } = await ask(
    '/api/auctions',
    {
      sku: 'op-op01-001-en',
      title: 'Zoro',
      condition: 'NM',
      auction_type: 'english',
      starting_price: 1000,
      ends_at: new Date(Date.now() + 3_600_000).toISOString()
    },
    seller
  )
  const path = `/api/auctions/${String(id)}`
  await ask(`${path}/submit`, {}, seller)
  return Array.from(
    { length: rounds },
    (_, at) => () => ask(`${path}/bids`, { amount: 1000 + 500 * at }, buyers[at % buyers.length])
  )
}

export const ways: Readonly<Record<string, Way>> = {
  entry: {
    about: 'GET of an entry of a corpus',
    most: 16,
    requests: async ({ ask, registry }) =>
      [...(registry().corpora.get('koans')?.byKey.keys() ?? [])]
        .slice(0, rounds)
        .map(id => () => ask(`/api/v1/koan/${id}`))
  },
  card: {
    about: 'GET of a card',
    requests: async ({ ask }) =>
      Array.from({ length: rounds }, (_, at) => () => ask(`/api/v1/universal/card/op-op01-00${at + 1}-en`))
  },
  bid: { about: 'POST of a bid', most: 12, requests: bids }
}

export type Walk = Readonly<{ name: string; about: string; most: number | undefined; files: readonly string[] }>

/** Serves the project in this process, over a database with the bundled cards, and goes the ways that are named. */
export async function walk(names: readonly string[]): Promise<readonly Walk[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-rooms-'))
  const ends: (() => unknown)[] = [
    () => {
      rmSync(folder, { recursive: true, force: true })
    }
  ]
  const t = {
    teardown: (end: () => unknown) => {
      ends.push(end)
    }
  }
  try {
    const { url: databaseUrl } = await bundledDatabase(t)
    const {
      services: { people, signIn }
    } = openAccounts(await databaseAt(t, databaseUrl), 'http://127.0.0.1:8080')
    const service = await serve({
      config: readConfig({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: databaseUrl, PANTRY_DATA_DIR: folder }),
      roots: [packageFolder],
      watch: false,
      report: () => {},
      stdout: process.stderr,
      stderr: process.stderr
    })
    t.teardown(service.stop)
    const opened: Opened = {
      registry: service.registry,
      ask: async (path, body, cookie) => {
        const answer = await fetch(service.url + path, {
          ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
          headers: {
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...(cookie === undefined ? {} : { Cookie: cookie })
          }
        })
        const text = await answer.text()
        if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${text}`)
        return JSON.parse(text) as Record<string, unknown>
      },
      cookieOf: async name => {
        const { id } = await people.add(name, [])
        return `pantry_session=${(await signIn.withCode(name, await signIn.issueCode(id)))?.secret ?? ''}`
      }
    }
    await eventually(() => opened.ask('/api/v1/universal/card/op-op01-001-en'))
    const coverage = await startCoverage(codeFolder, packageFolder)
    t.teardown(coverage.stop)
    const found: Walk[] = []
    for (const [name, { about, most, requests }] of Object.entries(ways).filter(([name]) => names.includes(name))) {
      const [first, ...others] = await requests(opened)
      await first?.()
      if (others.length === 0) throw new Error(`There is nothing to ask for by \`${name}\`.`)
      const files = (await filesOf(coverage, others)).filter(file => tops.some(top => file.startsWith(`${top}/`)))
      found.push({ name, about, most, files })
    }
    return found
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
