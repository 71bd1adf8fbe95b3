import t from 'tap'
import { requireNoOpenTrades } from '../../../surfaces/market/trade.ts'
import { Keys } from '../../../surfaces/people/keys.ts'
import { MailAddresses } from '../../../surfaces/people/mail.ts'
import { People } from '../../../surfaces/people/people.ts'
import { exportOf } from '../../../surfaces/people/personal-data.ts'
import { personalTables } from '../../../surfaces/people/personal.ts'
import { Receipts } from '../../../surfaces/people/receipts.ts'
import { SignIn } from '../../../surfaces/people/sign-in.ts'
import { testDatabase } from '../../support/database.ts'

const { database } = await testDatabase(t)
const { knex } = database
const people = new People(database)
const listing = {
  sku: 'x',
  condition: 'NM',
  auction_type: 'buy_now',
  license: 'NOASSERTION',
  currency: 'GBP',
  starting_price: 1,
  buy_now_price: 1
}
const insert = async (table: string, row: object): Promise<string> =>
  ((await knex(table).insert(row).returning('*')) as [{ id: string }])[0].id

let partners = 0

/**
 * A person of whom every table holds something, which has their name wherever somebody wrote it, and somebody who
 * traded with them.
 */
async function known(name: string): Promise<Readonly<{ id: string; other: string; secrets: readonly string[] }>> {
  const [signIn, keys, receipts] = [new SignIn(database), new Keys(database), new Receipts(database)]
  const [{ id }, { id: other }] = [await people.add(name, []), await people.add(`trader-${partners++}`, [])]
  const session = (await signIn.withCode(name, await signIn.issueCode(id)))?.secret ?? ''
  const code = await signIn.issueCode(id)
  const { key, made } = await keys.create({
    kind: 'agent',
    name: `${name} key`,
    contact: `${name}@keys.example`,
    person: id
  })
  await receipts.give(id, 'profile', '1')
  await knex.transaction(async transaction => {
    await new MailAddresses(database).keep(transaction, id, `${name}@mail.example`)
  })
  await insert('mailed_codes', {
    request: `digest-${name}-1`,
    person: id,
    address: `new-${name}@mail.example`,
    purpose: 'address',
    digest: 'digest',
    attempts_left: 5
  })
  // Of the sign-up: nobody's yet when it was mailed.
  await insert('mailed_codes', {
    request: `digest-${name}-2`,
    address: `${name}@mail.example`,
    purpose: 'sign-up',
    digest: '',
    attempts_left: 0
  })
  await insert('passkeys', {
    person: id,
    credential: name,
    public_key: Buffer.from('x'),
    counter: 0,
    name: `${name} phone`
  })
  await insert('passkey_challenges', {
    digest: `digest-${name}`,
    person: id,
    expires_at: knex.raw("now() + interval '1 minute'")
  })
  await insert('profiles', { person: id, languages: ['en'], region: 'NL', cadence: 'weekly' })
  await insert('list_cards', { person: id, list: 'have', sku: `${name} sku`, quantity: 1 })
  await insert('organisations', {
    person: id,
    slug: name,
    display_name: name,
    kind: 'club',
    languages: [],
    games: [],
    description: name
  })
  const hunt = await insert('hunt_cases', { candidate_id: 'x', candidate: '{}', expires_at: knex.fn.now() })
  await insert('hunt_turns', {
    case_id: hunt,
    role: 'scout',
    agent: made.id,
    client_request_id: 'x',
    digest: 'digest',
    submission: JSON.stringify({ note: 'of the catalogue' })
  })
  await insert('auctions', { ...listing, seller: id, title: `${name} draft` })
  const sale = async (seller: string, bidder: string, title: string): Promise<string> => {
    const auction = await insert('auctions', {
      ...listing,
      seller,
      title,
      status: 'live',
      starts_at: knex.raw("now() - interval '1 hour'"),
      ends_at: knex.raw("now() + interval '1 hour'"),
      submitted_at: knex.fn.now(),
      approval_notes: `notes of ${title}`
    })
    const bid = await insert('auction_bids', {
      auction,
      bidder,
      kind: 'buy',
      amount: 7,
      state: 'placed',
      at: knex.fn.now()
    })
    const [first, second] = [
      { status: 'ended', winner: bidder, winning_bid: bid, winning_price: 7, actual_end_at: knex.fn.now() },
      { status: 'paid', paid_at: knex.fn.now(), shipped_at: knex.fn.now(), received_at: knex.fn.now() }
    ]
    for (const step of [first, second]) await knex('auctions').where({ id: auction }).update(step)
    return auction
  }
  const [sold, bought] = [await sale(id, other, 'sold by them'), await sale(other, id, 'bought by them')]
  await insert('auction_addresses', { auction: bought, person: id, address: `${name} street` })
  for (const [auction, by, author, about] of [
    [sold, 'seller', id, other],
    [bought, 'seller', other, id]
  ])
    await insert('auction_reviews', {
      auction,
      by,
      author,
      about,
      stars: 5,
      text: 'Fine.',
      license: 'NOASSERTION',
      reviewer_score: 1
    })
  await insert('fraud_signals', { person: id, severity: 'low', reason: `${name} signal` })
  await insert('content_reports', {
    reporter: id,
    kind: 'listing',
    auction: bought,
    ground: 'other',
    text: `${name} report`
  })
  await insert('organisations', {
    person: other,
    slug: `club-${partners}`,
    display_name: 'A club',
    kind: 'club',
    languages: [],
    games: [],
    description: 'A club.'
  })
  await insert('content_reports', {
    reporter: id,
    kind: 'organisation',
    organisation: other,
    ground: 'other',
    text: 'of a club'
  })
  await insert('content_reports', {
    reporter: other,
    kind: 'organisation',
    organisation: id,
    ground: 'other',
    text: 'What another person reported.'
  })
  await insert('idempotency_keys', { person: id, route: name, key: name, digest: 'digest', body: '{}' })
  await insert('account_acts', {
    actor: other,
    act: 'organisations.remove',
    subject: id,
    details: { reason: `${name} reason` }
  })
  await insert('rate_limits', { key: `30:${made.id}`, points: 1, expire: Date.now() + 60_000 })
  return { id, other, secrets: [session, code, key, 'digest'] }
}

t.test(
  'what is kept about a person is given to them whole, without what is secret and without anybody else',
  async t => {
    const { id, other, secrets } = await known('canary-one')
    await known('canary-two')
    const given = await exportOf(database, id)
    for (const [table, rows] of Object.entries(given)) {
      const texts = rows.map(row => JSON.stringify(row))
      t.same(texts, texts.toSorted(), `${table} is in an order that is always the same`)
    }
    t.same(
      Object.keys(given),
      personalTables.map(({ table }) => table)
    )
    t.same(
      Object.entries(given)
        .filter(([, rows]) => rows.length === 0)
        .map(([table]) => table),
      ['invitations', 'feedback_reports', 'sign_in_counts'],
      "what is nobody's"
    )
    const text = JSON.stringify(given)
    for (const wanted of [
      '@mail.example',
      '@keys.example',
      ' key',
      ' phone',
      ' sku',
      ' draft',
      ' street',
      ' signal',
      ' report',
      ' reason'
    ])
      t.ok(text.includes(`canary-one${wanted}`), wanted)
    for (const secret of [...secrets, other, 'canary-two', 'notes of bought', 'another person'])
      t.notOk(text.includes(secret), secret)
    t.match(
      given['auctions']?.find(({ title }) => title === 'sold by them'),
      { approval_notes: 'notes of sold by them', seller: true, winner: false }
    )
    t.match(
      given['auctions']?.find(({ title }) => title === 'bought by them'),
      { approval_notes: null, seller: false, winner: true }
    )
    t.equal(
      given['content_reports']?.find(({ text }) => text === 'of a club')?.['organisation'],
      'club-1',
      'not whose it is'
    )
    t.match(given['hunt_turns'], [{ submission: { note: 'of the catalogue' } }])
  }
)

t.test('who leaves takes what they said: what is over and nobody bid on goes, and of the rest the words', async t => {
  const [{ id }, { id: other }] = [await people.add('teller', []), await people.add('listener', [])]
  const listing = async (status: string, more: object = {}): Promise<string> =>
    (
      (await knex('auctions')
        .insert({
          seller: id,
          sku: 'op-op01-001-en',
          title: 'teller wrote it',
          description: 'teller wrote it',
          cancel_reason: 'teller wrote it',
          condition: 'NM',
          auction_type: 'buy_now',
          license: 'NOASSERTION',
          currency: 'GBP',
          starting_price: 1,
          buy_now_price: 1,
          status,
          submitted_at: knex.fn.now(),
          starts_at: knex.raw("now() - interval '2 hours'"),
          ends_at: knex.raw("now() - interval '1 hour'"),
          ...more
        })
        .returning('id')) as [{ id: string }]
    )[0].id
  const ended = { actual_end_at: knex.fn.now() }
  const [cancelled, unsold, bidOn] = [
    await listing('cancelled'),
    await listing('ended', ended),
    await listing('live', { ends_at: knex.raw("now() + interval '1 hour'") })
  ]
  await knex('auction_bids').insert({
    auction: bidOn,
    bidder: other,
    kind: 'offer',
    amount: 1,
    state: 'closed',
    at: knex.fn.now()
  })
  await knex('auctions')
    .where({ id: bidOn })
    .update({
      status: 'ended',
      ...ended,
      dispute: 'dismissed',
      dispute_by: 'winner',
      dispute_statement: 'listener wrote it',
      dispute_reason: 'Both were heard.',
      carrier: 'a carrier of teller',
      tracking_number: 'teller-1'
    })
  await knex('auctions').where({ id: bidOn }).update({ winner: other, winning_bid: 1, winning_price: 1 })
  await knex('auctions')
    .where({ id: bidOn })
    .update({ status: 'paid', paid_at: knex.fn.now(), shipped_at: knex.fn.now(), received_at: knex.fn.now() })
  await knex('auction_reviews').insert({
    auction: bidOn,
    author: id,
    about: other,
    by: 'seller',
    stars: 4,
    text: 'teller wrote it',
    license: 'NOASSERTION',
    reviewer_score: 50
  })
  await knex('account_acts').insert([
    { actor: other, act: 'auctions.remove', subject: cancelled, details: { reason: 'teller was unkind' } },
    { actor: other, act: 'auctions.cancel', subject: bidOn, details: { reason: 'teller was unkind', removed: false } }
  ])
  await knex('rate_limits').insert({ key: `change the mail address:${id}`, points: 1, expire: Date.now() + 60_000 })
  await people.leave(id, {
    first: async transaction => {
      await requireNoOpenTrades(database, transaction, id)
    }
  })
  t.same(
    await knex('auctions')
      .whereIn('id', [cancelled, unsold, bidOn])
      .select(
        'id',
        'seller',
        'winner',
        'title',
        'description',
        'cancel_reason',
        'dispute_statement',
        'dispute_reason',
        'carrier',
        'tracking_number'
      ),
    [
      {
        id: bidOn,
        seller: null,
        winner: other,
        title: 'op-op01-001-en',
        description: '',
        cancel_reason: null,
        dispute_statement: 'listener wrote it',
        dispute_reason: 'Both were heard.',
        carrier: null,
        tracking_number: null
      }
    ]
  )
  t.same(await knex('auction_reviews').where({ auction: bidOn }).select('author', 'stars', 'text'), [
    { author: null, stars: 4, text: '' }
  ])
  for (const table of ['auctions', 'auction_reviews', 'account_acts', 'rate_limits']) {
    const { rows } = await knex.raw<{ rows: unknown[] }>('select to_jsonb(t) as row from ?? t', [table])
    t.notMatch(JSON.stringify(rows), /teller/, table)
  }
  t.same(await knex('rate_limits').where('key', 'like', `%${id}`), [])
  await people.leave(other)
  t.match(await knex('auctions').where({ id: bidOn }).select('winner', 'dispute_statement', 'dispute_reason'), [
    { winner: null, dispute_statement: null, dispute_reason: null }
  ])
})

t.test("who leaves leaves no trace in any table, but an id that is nobody's where acts are written down", async t => {
  const { id } = await known('canary-gone')
  await people.leave(id, {
    first: async transaction => {
      await requireNoOpenTrades(database, transaction, id)
    }
  })
  const { rows: tables } = await knex.raw<{ rows: { name: string }[] }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'"
  )
  t.ok(tables.length > 30, `${tables.length} tables`)
  const held = new Map<string, string>()
  for (const { name } of tables)
    held.set(
      name,
      JSON.stringify((await knex.raw<{ rows: unknown[] }>('select to_jsonb(t) as row from ?? t', [name])).rows)
    )
  const holding = (text: string): string[] => [...held].filter(([, rows]) => rows.includes(text)).map(([name]) => name)
  t.same(holding('canary-gone'), [])
  t.same(holding(id), ['account_acts'])
  t.same(holding('canary-one').length > 10, true, 'what is of others stays')
})
