import type { Test } from 'tap'
import { openAccounts } from '../../surfaces/people/open.ts'
import { bundledDatabase } from './bundled.ts'
import { databaseAt } from './database.ts'
import { generationOf, serveGeneration } from './serve-root.ts'

type Answer = Readonly<{
  status: number
  text: string
  headers: Headers
  body: Record<string, unknown> & { auction_id: string; data: Record<string, unknown>; error?: { code: string } }
}>
export type Ask = (path: string, body?: object, more?: Readonly<{ method?: string; key?: string }>) => Promise<Answer>

/** The whole service over a database with the bundled cards, and people who ask it as themselves. */
export async function marketService(t: Test) {
  const { url } = await bundledDatabase(t)
  const database = await databaseAt(t, url)
  const { knex } = database
  const {
    services: { people, signIn, receipts }
  } = openAccounts(database, 'http://127.0.0.1:8080')
  const generation = await generationOf(t, ['.'], { databaseUrl: url })
  const { get, registry } = await serveGeneration(t, generation)

  const asking =
    (cookie?: string): Ask =>
    async (path, body, { method = body === undefined ? 'GET' : 'POST', key } = {}) => {
      const response = await get(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(cookie === undefined ? {} : { Cookie: cookie }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key })
        }
      })
      const text = await response.text()
      return {
        status: response.status,
        text,
        headers: response.headers,
        body: (text.startsWith('{') ? JSON.parse(text) : {}) as Answer['body']
      }
    }
  /** Somebody whose name would be noticed wherever it is written. */
  const memberOf = async (name: string, isAdmin = false) => {
    const { id } = await people.add(name, isAdmin ? ['admin'] : [])
    const session = await signIn.withCode(name, await signIn.issueCode(id))
    const cookie = `pantry_session=${session?.secret ?? ''}`
    return { id, name, cookie, ask: asking(cookie) }
  }
  /** Sends a form as a browser does. */
  const sendForm = async (cookie: string, path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
    await get(path, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { Cookie: cookie, Origin: 'http://127.0.0.1:8080', 'Sec-Fetch-Site': 'same-origin' }
    })
  const listing = () => ({
    sku: 'op-op01-001-en',
    title: 'Zoro',
    condition: 'NM',
    auction_type: 'english',
    starting_price: 1000,
    ends_at: new Date(Date.now() + 3_600_000).toISOString()
  })
  /** Lets the end of an auction come. */
  const endNow = async (id: string): Promise<void> => {
    await knex('auctions')
      .where({ id })
      .update({
        ends_at: knex.raw("clock_timestamp() - interval '1 second'"),
        starts_at: knex.raw("clock_timestamp() - interval '1 hour'")
      })
  }
  return { knex, people, receipts, registry, get, nobody: asking(), memberOf, sendForm, listing, endNow }
}

/** What a page of forms carries in a hidden field. */
export const hiddenIn = (page: string, name: string, action = ''): string =>
  new RegExp(`action="[^"]*${action}"[\\s\\S]*?name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? ''
