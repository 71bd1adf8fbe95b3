import t from 'tap'
import { deleteExpired } from '../../../surfaces/people/personal-data.ts'
import { Keys } from '../../../surfaces/people/keys.ts'
import { People } from '../../../surfaces/people/people.ts'
import { noticeVersion, Receipts } from '../../../surfaces/people/receipts.ts'
import { personalTables } from '../../../surfaces/people/personal.ts'
import { SignIn } from '../../../surfaces/people/sign-in.ts'
import { testDatabase } from '../../support/database.ts'
import { registryOf } from '../../support/registry.ts'

const { database } = await testDatabase(t)
const { knex } = database

t.test('every column of every table that knows people is in the notice, and nothing else', async t => {
  const { rows } = await knex.raw<{ rows: { table_name: string; column_name: string }[] }>(`
    select table_name, column_name from information_schema.columns where table_schema = 'public' and table_name <> 'listed_organisations'
      and (table_name in (select table_name from information_schema.columns where column_name = 'person') or table_name in ('people', 'account_acts', 'content_reports', 'feedback_reports', 'hunt_turns', 'rate_limits', 'sign_in_counts', 'invitations', 'auctions', 'auction_bids', 'auction_reviews'))`)
  const held = rows.map(row => `${row.table_name}.${row.column_name}`).sort()
  t.same(
    personalTables.flatMap(({ table, columns }) => Object.keys(columns).map(column => `${table}.${column}`)).sort(),
    held
  )
})

t.test('receipts cite the newest notice', async t => {
  const { registry } = await registryOf()
  t.equal(registry.corpora.get('privacy')?.entries[0]?.['version'], noticeVersion)
})

t.test('what has ended is deleted, and what holds stays', async t => {
  const [people, signIn, keys, receipts] = [
    new People(database),
    new SignIn(database),
    new Keys(database),
    new Receipts(database)
  ]
  const { id } = await people.add('kept', [])
  const counts = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      await Promise.all(
        personalTables.map(async ({ table }) => [table, Number((await knex(table).count())[0]?.['count'])] as const)
      )
    )
  for (let made = 0; made < 2; made += 1) {
    await signIn.withCode('kept', await signIn.issueCode(id))
    await keys.create({ kind: 'agent', name: 'x', contact: 'a@example.org', person: id })
    await receipts.give(id, 'profile', String(made))
  }
  await signIn.issueCode(id)
  const [sale] = (await knex('auctions')
    .insert({
      sku: 'x',
      title: 'A card',
      condition: 'NM',
      auction_type: 'buy_now',
      license: 'NOASSERTION',
      currency: 'GBP',
      starting_price: 1,
      buy_now_price: 1
    })
    .returning('id')) as [{ id: string }]
  await knex('auction_addresses').insert({ auction: sale.id, person: id, address: 'a street' })
  await knex('fraud_signals').insert({ person: id, severity: 'low', reason: 'x' })
  await knex('idempotency_keys').insert({ person: id, route: 'bids', key: 'x', digest: 'x', body: '{}' })
  await knex('content_reports').insert([
    { reporter: id, kind: 'listing', ground: 'other', text: 'x' },
    {
      reporter: id,
      kind: 'listing',
      ground: 'other',
      text: 'x',
      decision: 'kept',
      reason: 'x',
      decided_at: knex.fn.now()
    }
  ])
  await knex('feedback_reports').insert({ report: '{}', reply_may_be_public: false })
  await knex('mailed_codes').insert({
    request: 'x',
    address: 'a@example.org',
    purpose: 'sign-up',
    digest: 'y',
    attempts_left: 5
  })
  await knex('rate_limits').insert({ key: 'now', points: 1, expire: Date.now() + 60_000 })
  await knex('invitations').insert({ digest: 'x', expires_at: knex.raw("now() + interval '7 days'") })
  const before = await counts()
  await deleteExpired(database)
  t.same(await counts(), before)
  const [session, key] = [(await signIn.sessionsOf(id))[0], (await keys.of(id))[0]]
  await knex('sessions')
    .where({ id: session?.id })
    .update({ last_used_on: knex.raw('current_date - 30') })
  await knex('access_keys')
    .where({ id: key?.id })
    .update({ revoked_at: knex.raw("now() - interval '91 days'") })
  await knex('publication_receipts')
    .whereNotNull('withdrawn_at')
    .update({ withdrawn_at: knex.raw("now() - interval '4 years'") })
  await knex('sign_in_codes').update({ expires_at: knex.raw("now() - interval '1 second'") })
  await knex('account_acts')
    .where('act', 'people.add')
    .update({ at: knex.raw("now() - interval '2 years'") })
  await knex('content_reports')
    .whereNotNull('decided_at')
    .update({ decided_at: knex.raw("now() - interval '2 years'") })
  await knex('feedback_reports').update({ received_at: knex.raw("now() - interval '2 years'") })
  await knex('mailed_codes').update({ asked_at: knex.raw("now() - interval '61 minutes'") })
  await knex('auctions').update({ updated_at: knex.raw("now() - interval '2 years'") })
  await knex('fraud_signals').update({ resolved_at: knex.raw("now() - interval '2 years'") })
  await knex('idempotency_keys').update({ created_at: knex.raw("now() - interval '25 hours'") })
  await knex('rate_limits').update({ expire: Date.now() - 1 })
  await knex('invitations').update({ expires_at: knex.raw("now() - interval '1 second'") })
  await deleteExpired(database)
  const after = await counts()
  t.same(Object.fromEntries(Object.entries(before).map(([table, count]) => [table, count - (after[table] ?? 0)])), {
    people: 0,
    sign_in_codes: 1,
    sessions: 1,
    mail_addresses: 0,
    mailed_codes: 1,
    invitations: 1,
    passkeys: 0,
    passkey_challenges: 0,
    access_keys: 1,
    publication_receipts: 1,
    profiles: 0,
    list_cards: 0,
    organisations: 0,
    hunt_turns: 0,
    content_reports: 1,
    feedback_reports: 1,
    auctions: 0,
    auction_bids: 0,
    auction_addresses: 1,
    auction_reviews: 0,
    fraud_signals: 1,
    idempotency_keys: 1,
    account_acts: 1,
    rate_limits: 3,
    sign_in_counts: 0
  })
})
