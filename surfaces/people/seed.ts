import type { Database } from 'pantry/database'
import { recordAct, operator } from './acts.ts'
import { CardLists } from './card-lists.ts'
import { Keys, type KeyScope } from './keys.ts'
import { Organisations, Profiles, versionOf } from './organisations.ts'
import { People, type Role } from './people.ts'
import { noticeVersion, Receipts } from './receipts.ts'
import type { Store } from '../common/repository.ts'
import { SignIn } from './sign-in.ts'

const act = 'dev-seed'

/** Whether a database was seeded for development, in which case its secrets were printed. */
export const isSeeded = async ({ knex }: Pick<Store, 'knex'>): Promise<boolean> =>
  (await knex('account_acts').where({ act }).limit(1).select('id')).length > 0

/** Returns why a database may not be seeded; undefined if it may. */
export async function whyNotSeeded({ knex, target }: Pick<Database, 'knex' | 'target'>): Promise<string | undefined> {
  if ('url' in target)
    return 'A named server is not filled: unset `DATABASE_URL`, so that Pantry runs a database of its own.'
  return (await knex('people').limit(1).select('id')).length > 0
    ? 'This database holds people. Name an empty folder in `PANTRY_DATA_DIR`.'
    : undefined
}

/** The credentials and names in a seeded database: cookies as `name=value`, keys, and names. */
type Seeded = Readonly<{
  session_cookie: string
  admin_cookie: string
  seller_cookie: string
  agent_key: string
  operator_agent_keys: readonly string[]
  wholesale_key: string
  public_username: string
  hidden_username: string
  suspended_username: string
  organisation_slug: string
}>

const slug = 'night-owls'
const keyDefaults = { contact: 'try@example.org', tier: 'standard' } as const

/**
 * Stores lists and a profile of both people. Only those of `shown` are published, and `shown` speaks for a collective.
 */
async function seedCollectors(store: Store, shown: string, hidden: string): Promise<void> {
  const [lists, profiles] = [new CardLists(store), new Profiles(store)]
  const [organisations, receipts] = [new Organisations(store), new Receipts(store)]
  for (const [person, have, want] of [
    [shown, ['op-op01-001-en', 'op-op01-002-en'], ['op-op01-003-en']],
    [hidden, ['op-op01-003-en', 'op-op01-002-en'], ['op-op01-001-en']]
  ] as const) {
    await lists.put(person, 'have', new Map(have.map(sku => [sku, 1])))
    await lists.put(person, 'want', new Map(want.map(sku => [sku, 1])))
    await profiles.put(person, { languages: ['en', 'nl'], region: 'NL', cadence: 'weekly' })
  }
  for (const scope of ['have-list', 'want-list', 'language', 'region', 'organisation'] as const)
    await receipts.give(shown, scope, noticeVersion)
  const written = {
    slug,
    display_name: 'Night Owls',
    kind: 'club',
    region: 'NL',
    languages: ['nl', 'en'],
    games: ['op'],
    description: 'A club that was made up for trying out.',
    website_url: null,
    public_contact_url: null,
    accessibility_notes: null
  } as const
  await organisations.put(shown, written)
  await organisations.approve(slug, versionOf({ person: shown, ...written }))
}

export async function seedAccounts(store: Store): Promise<Seeded> {
  const [people, signIn] = [new People(store), new SignIn(store)]
  const [keys, receipts] = [new Keys(store), new Receipts(store)]
  await recordAct(store.knex, operator, act, 'database')
  const add = async (username: string, roles: readonly Role[] = []): Promise<string> =>
    (await people.add(username, roles)).id
  const cookieOf = async (username: string, person: string): Promise<string> =>
    `pantry_session=${(await signIn.withCode(username, await signIn.issueCode(person)))?.secret ?? ''}`
  const agentKey = async (name: string, person: string, scopes: readonly KeyScope[] = ['read', 'hunt']) =>
    (await keys.create({ ...keyDefaults, kind: 'agent', name, scopes, person })).key
  const shown = await add('marigold')
  const hidden = await add('thistle')
  const admin = await add('juniper', ['admin'])
  const suspended = await add('nettle')
  await receipts.give(shown, 'profile', noticeVersion)
  await people.setSuspended(suspended, true)
  await seedCollectors(store, shown, hidden)
  return {
    session_cookie: await cookieOf('marigold', shown),
    admin_cookie: await cookieOf('juniper', admin),
    seller_cookie: await cookieOf('thistle', hidden),
    agent_key: await agentKey('A reader', shown, ['read']),
    // The hunt takes three keys, and marks a case in which a person owns two of them: so each is of another person.
    operator_agent_keys: [
      await agentKey('Scout', shown),
      await agentKey('Checker', hidden),
      await agentKey('Mirror', admin)
    ],
    wholesale_key: (await keys.create({ ...keyDefaults, kind: 'wholesale', name: 'A wholesale partner' })).key,
    public_username: 'marigold',
    hidden_username: 'thistle',
    suspended_username: 'nettle',
    organisation_slug: slug
  }
}
