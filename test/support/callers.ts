import type { Test } from 'tap'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { silent } from '../../core/database/connection.ts'
import type { Example, Surface } from '../../core/manifest/surface.ts'
import { requestOf } from '../../bin/promises/examples.ts'
import { openAccounts } from '../../surfaces/people/open.ts'
import type { Served } from './serve-root.ts'
import { standAuction } from './stand-auction.ts'

/** What a caller sends with each request. */
export type Credentials = Readonly<Record<string, string>>

/** Access kinds that let each of the callers in. */
export const admitted: Readonly<Record<string, readonly string[]>> = {
  anonymous: [],
  person: ['user'],
  'agent key': ['agent'],
  'agent key, hunt': ['agent', 'agent/hunt'],
  'wholesale key': ['wholesale-key'],
  admin: ['user', 'admin'],
  seller: ['user'],
  winner: ['user'],
  suspended: []
}

export type Callers = Readonly<{
  database: Database
  people: ReturnType<typeof openAccounts>['services']['people']
  signIn: ReturnType<typeof openAccounts>['services']['signIn']
  /** Everyone who may call, by what they send. */
  all: Readonly<Record<string, Credentials>>
  /** Of a surface, the credentials of a caller: what ends a session is asked with a new one each time. */
  credentialsOf: (name: string, surface: Pick<Surface, 'route'>) => Promise<Credentials>
  /** The request of an example as a caller sends it: a form carries the token of the session. */
  requestOf: (surface: Surface, example: Example, headers: Credentials) => Promise<RequestInit>
  /** Puts the auction that an example names where the surface finds it; whether it names one. */
  prepare: (surface: Surface, example: Example) => Promise<boolean>
}>

/** People and keys of every kind over a database that a service is served over. */
export async function makeCallers(
  t: Pick<Test, 'teardown'>,
  url: string,
  { get }: Pick<Served, 'get'>
): Promise<Callers> {
  const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
  t.teardown(async () => {
    await database.close()
  })
  const {
    services: { people, signIn, keys }
  } = openAccounts(database, 'http://127.0.0.1:8080')
  const session = async (name: string, isAdmin = false): Promise<Credentials> => {
    const { id } = await people.add(name, isAdmin ? ['admin'] : [])
    const begun = await signIn.withCode(name, await signIn.issueCode(id))
    return { Cookie: `pantry_session=${begun?.secret ?? ''}` }
  }
  const idOf = async (name: string): Promise<string> => (await people.byName(name))?.id ?? ''
  const keyOf = async (kind: 'agent' | 'wholesale', scopes: ('read' | 'hunt')[] = ['read']): Promise<string> =>
    (await keys.create({ kind, name: 'A test', contact: 'a@example.org', tier: 'partner', scopes })).key
  const all = {
    anonymous: {},
    person: await session('caller-person'),
    'agent key': { Authorization: `Bearer ${await keyOf('agent')}` },
    'agent key, hunt': { Authorization: `Bearer ${await keyOf('agent', ['read', 'hunt'])}` },
    'wholesale key': { 'X-Wholesale-Key': await keyOf('wholesale') },
    admin: await session('caller-admin', true),
    seller: await session('caller-seller'),
    winner: await session('caller-winner'),
    suspended: await session('caller-suspended')
  }
  const [seller, winner] = [await idOf('caller-seller'), await idOf('caller-winner')]
  await people.setSuspended(await idOf('caller-suspended'), true)

  let made = 0
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = async (headers: Credentials): Promise<string> =>
    /name="token" value="([^"]+)"/.exec(await (await get('/account', { headers })).text())?.[1] ?? ''
  return {
    database,
    people,
    signIn,
    all,
    async credentialsOf(name, { route: { path } }) {
      const usual = (all as Callers['all'])[name] ?? {}
      return /sign-(?:in|out)|leave/.test(path) && 'Cookie' in usual && name !== 'suspended'
        ? await session(`caller-${name}-${made++}`, name === 'admin')
        : usual
    },
    async requestOf({ formats }, example, headers) {
      const request = requestOf(example)
      const isForm = formats[0] === 'html' && example.method === 'POST'
      if (!isForm || !('Cookie' in headers) || headers === all.suspended) return request
      const body = typeof request.body === 'string' ? request.body : ''
      const session = headers['Cookie'] ?? ''
      const token = tokens.get(session) ?? tokenOf(headers)
      tokens.set(session, token)
      return { ...request, body: `${body}${body === '' ? '' : '&'}token=${await token}` }
    },
    async prepare({ id: surface }, { url: path }) {
      const id = /auctions\/([0-9a-f-]{36})/.exec(path)?.[1]
      if (id !== undefined) await standAuction(database.knex, { id, surface, seller, winner })
      return id !== undefined
    }
  }
}
