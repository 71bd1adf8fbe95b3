import type { Knex } from 'knex'

export const replaces = ['0022_market', '0024_reports', '0025_limits_and_keys']
export const mayReplace = ['0027_restored']

const most = 100_000_000

/**
 * The transitions of auctions (state, act, next state) as `surfaces/market/auction.ts` has them; a test compares the
 * two.
 */
const transitions: readonly (readonly [string, string, string])[] = [
  ['draft', 'edit', 'draft'],
  ['draft', 'submit', 'scheduled'],
  ['draft', 'cancel', 'cancelled'],
  ['scheduled', 'approve', 'scheduled'],
  ['scheduled', 'refuse', 'cancelled'],
  ['scheduled', 'cancel', 'cancelled'],
  ['scheduled', 'begin', 'live'],
  ['scheduled', 'lapse', 'cancelled'],
  ['live', 'bid', 'live'],
  ['live', 'buy', 'ended'],
  ['live', 'offer', 'live'],
  ['live', 'accept', 'ended'],
  ['live', 'end', 'ended'],
  ['live', 'cancel', 'cancelled'],
  ['ended', 'address', 'ended'],
  ['ended', 'paid', 'paid'],
  ['ended', 'cancel', 'cancelled'],
  ['paid', 'address', 'paid'],
  ['paid', 'shipped', 'paid'],
  ['paid', 'received', 'paid'],
  ['paid', 'review', 'paid'],
  ['paid', 'dispute', 'paid'],
  ['paid', 'decide', 'paid']
]

/**
 * Triggers that refuse a change of state that is not in `auction_transitions`, a second winner, and a bid by the seller
 * or on an auction that is not live, whoever asks.
 */
const guards = `
  create function check_auction_change() returns trigger language plpgsql as $$ begin
    if new.status <> old.status and not exists (select from auction_transitions where from_state = old.status and to_state = new.status) then
      raise exception 'An auction cannot go from % to %.', old.status, new.status using errcode = 'check_violation';
    end if;
    if old.winning_bid is not null and new.winning_bid is distinct from old.winning_bid then
      raise exception 'An auction has one winner.' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
  create trigger auction_change before update on auctions for each row execute function check_auction_change();
  create function check_auction_bid() returns trigger language plpgsql as $$ begin
    if not exists (select from auctions where id = new.auction and status = 'live' and ends_at > new.at and seller is distinct from new.bidder) then
      raise exception 'A bid is for a live auction of somebody else.' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
  create trigger auction_bid before insert on auction_bids for each row execute function check_auction_bid()`

/**
 * Auctions with their bids, events, addresses and reviews, signals of fraud, reports of content, and the answers to
 * requests with an idempotency key. Money is whole pence.
 */
export async function up(knex: Knex): Promise<void> {
  const pence = (table: Knex.CreateTableBuilder, name: string): Knex.ColumnBuilder =>
    table.integer(name).checkBetween([1, most])
  const ofPerson = (table: Knex.CreateTableBuilder, name: string): Knex.ReferencingColumnBuilder =>
    table.uuid(name).references('people.id').onDelete('set null').index()
  // A view, because a backup contains the rows of tables, and the transitions belong to the schema.
  const listed = transitions.map(row => `(${row.map(word => `'${word}'`).join(', ')})`).join(', ')
  await knex.raw(`create view auction_transitions as select * from (values ${listed}) as t (from_state, act, to_state)`)
  await knex.schema.createTable('auctions', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    ofPerson(table, 'seller')
    table.specificType('sku', 'text collate "C"').notNullable().index()
    table.string('title', 160).notNullable()
    table.string('description', 4000).notNullable().defaultTo('')
    table.text('condition').notNullable().checkIn(['NM', 'LP', 'MP', 'HP', 'DMG'])
    table.text('auction_type').notNullable().checkIn(['english', 'dutch', 'buy_now'])
    table
      .text('status')
      .notNullable()
      .defaultTo('draft')
      .checkIn(['draft', 'scheduled', 'live', 'ended', 'paid', 'cancelled'])
    table.boolean('is_consignment').notNullable().defaultTo(false)
    table
      .text('approval')
      .notNullable()
      .defaultTo('not_needed')
      .checkIn(['not_needed', 'pending', 'approved', 'refused'])
    table.string('approval_notes', 2000)
    table.text('license').notNullable().checkIn(['NOASSERTION', 'CC0-1.0', 'CC-BY-4.0'])
    table.text('currency').notNullable().checkIn(['GBP'])
    pence(table, 'starting_price').notNullable()
    for (const name of [
      'reserve_price',
      'bid_increment',
      'buy_now_price',
      'dutch_end_price',
      'dutch_price_drop',
      'current_price',
      'winning_price'
    ])
      pence(table, name)
    table.integer('dutch_drop_interval_seconds').checkBetween([1, 2_592_000])
    table.boolean('allow_best_offer').notNullable().defaultTo(false)
    table.timestamp('starts_at')
    table.timestamp('ends_at')
    table.integer('extensions').notNullable().defaultTo(0).checkBetween([0, 10])
    table.integer('bid_count').notNullable().defaultTo(0)
    table.bigInteger('leading_bid')
    table.bigInteger('winning_bid')
    ofPerson(table, 'winner')
    for (const name of ['submitted_at', 'actual_end_at', 'paid_at', 'shipped_at', 'received_at', 'removed_at'])
      table.timestamp(name)
    table.string('carrier', 80)
    table.string('tracking_number', 80)
    table.string('cancel_reason', 1000)
    table.text('cancelled_by').checkIn(['seller', 'admin', 'clock'])
    table.text('dispute').checkIn(['reported', 'open', 'for_seller', 'for_buyer', 'split', 'dismissed'])
    table.text('dispute_by').checkIn(['seller', 'winner'])
    table.string('dispute_statement', 2000)
    table.timestamp('dispute_at')
    table.string('dispute_reason', 2000)
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
  })
  for (const [name, check] of Object.entries({
    times: "status = 'draft' or submitted_at is null or (starts_at is not null and ends_at > starts_at)",
    english: "auction_type <> 'english' or bid_increment is not null",
    dutch:
      "auction_type <> 'dutch' or (dutch_end_price < starting_price and dutch_price_drop is not null and dutch_drop_interval_seconds is not null)",
    buy_now: "auction_type <> 'buy_now' or buy_now_price = starting_price",
    reserve: 'reserve_price is null or reserve_price >= starting_price',
    dearer: 'buy_now_price is null or buy_now_price >= greatest(starting_price, reserve_price)',
    winner: '(winner is null or winning_bid is not null) and (winning_bid is null) = (winning_price is null)',
    sold: "winning_bid is null or status in ('ended', 'paid', 'cancelled')",
    paid: "(status = 'paid') <= (paid_at is not null and winning_bid is not null)",
    steps: '(shipped_at is null or paid_at is not null) and (received_at is null or shipped_at is not null)',
    started: "status not in ('live', 'ended', 'paid') or approval in ('not_needed', 'approved')",
    ended: "(status in ('ended', 'paid')) <= (actual_end_at is not null)",
    parties: 'winner <> seller'
  }))
    await knex.raw(`alter table auctions add constraint auctions_${name} check (${check})`)
  await knex.raw("create index auctions_due on auctions (ends_at) where status in ('scheduled', 'live')")
  await knex.schema.createTable('auction_bids', table => {
    table.bigIncrements('id')
    table.uuid('auction').notNullable().references('auctions.id').onDelete('cascade').index()
    ofPerson(table, 'bidder')
    table.text('kind').notNullable().checkIn(['bid', 'buy', 'offer'])
    pence(table, 'amount').notNullable()
    table.text('state').notNullable().checkIn(['placed', 'open', 'accepted', 'closed'])
    table.timestamp('at').notNullable()
  })
  await knex.raw("create unique index auction_offers_open on auction_bids (auction, bidder) where state = 'open'")
  await knex.raw(
    "alter table auction_bids add constraint auction_bids_states check ((kind = 'offer') = (state <> 'placed'))"
  )
  await knex.schema.createTable('auction_events', table => {
    table.bigIncrements('id')
    table.uuid('auction').notNullable().references('auctions.id').onDelete('cascade').index()
    table.text('from_state').notNullable()
    table.text('act').notNullable()
    table.text('to_state').notNullable()
    table.text('who').notNullable().checkIn(['seller', 'winner', 'bidder', 'admin', 'clock'])
    table.timestamp('at').notNullable()
  })
  await knex.raw(
    `alter table auction_events add constraint auction_events_transitions check ((from_state, act, to_state) in (${listed}))`
  )
  await knex.schema.createTable('auction_addresses', table => {
    table.uuid('auction').primary().references('auctions.id').onDelete('cascade')
    table.uuid('person').notNullable().references('people.id').onDelete('cascade').index()
    table.string('address', 1000).notNullable()
    table.timestamp('given_at').notNullable().defaultTo(knex.fn.now())
  })
  await knex.schema.createTable('auction_reviews', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.uuid('auction').notNullable().references('auctions.id').onDelete('cascade')
    ofPerson(table, 'author')
    ofPerson(table, 'about')
    table.text('by').notNullable().checkIn(['seller', 'winner'])
    table.integer('stars').notNullable().checkBetween([1, 5])
    table.string('text', 2000).notNullable().defaultTo('')
    table.text('license').notNullable().checkIn(['NOASSERTION', 'CC0-1.0', 'CC-BY-4.0'])
    table.integer('reviewer_score').notNullable().checkBetween([0, 100])
    table.timestamp('written_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('removed_at')
    table.string('removed_reason', 1000)
    table.unique(['auction', 'by'])
  })
  await knex.schema.createTable('fraud_signals', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.uuid('person').notNullable().references('people.id').onDelete('cascade').index()
    table.text('severity').notNullable().checkIn(['low', 'medium', 'high'])
    table.string('reason', 2000).notNullable()
    table.timestamp('set_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('resolved_at')
  })
  await knex.schema.createTable('idempotency_keys', table => {
    table.uuid('person').notNullable().references('people.id').onDelete('cascade')
    table.text('route').notNullable()
    table.string('key', 200).notNullable()
    table.text('digest').notNullable()
    // Nothing reads `status`; older versions that write it may run at the same time as this one.
    table.integer('status')
    table.json('body').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now()).index()
    table.primary(['person', 'route', 'key'])
  })
  await endWithRestore(knex)
  // Reports of what others wrote, on which an operator decides.
  await knex.schema.createTable('content_reports', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.uuid('reporter').notNullable().references('people.id').onDelete('cascade')
    table.text('kind').notNullable().checkIn(['listing', 'review', 'organisation'])
    table.uuid('auction').references('auctions.id').onDelete('set null').index()
    table.uuid('review').references('auction_reviews.id').onDelete('set null').index()
    table.uuid('organisation').references('organisations.person').onDelete('set null').index()
    table.text('ground').notNullable().checkIn(['fraud', 'offensive', 'personal-data', 'rights', 'other'])
    table.string('text', 1000).notNullable()
    table.timestamp('reported_at').notNullable().defaultTo(knex.fn.now())
    table.text('decision').checkIn(['removed', 'kept'])
    table.string('reason', 1000)
    table.timestamp('decided_at')
    table.index(['reporter', 'reported_at'])
  })
  await knex.raw(
    'alter table content_reports add check ((decision is null) = (decided_at is null) and (decision is null) = (reason is null)), add check (num_nonnulls(auction, review, organisation) <= 1)'
  )
  for (const column of ['auction', 'review', 'organisation'])
    await knex.raw('create unique index on content_reports (reporter, ??) where decided_at is null', [column])
  await knex.raw(guards)
}

/**
 * Marks `idempotency_keys` as a table that a restore leaves empty, because keys may have been used since the backup.
 */
async function endWithRestore(knex: Knex): Promise<void> {
  await knex.raw("comment on table idempotency_keys is 'Ends with a restore.'")
}

export const adopt = endWithRestore

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'content_reports',
    'idempotency_keys',
    'fraud_signals',
    'auction_reviews',
    'auction_addresses',
    'auction_events',
    'auction_bids',
    'auctions'
  ])
    await knex.schema.dropTable(table)
  await knex.raw('drop view auction_transitions')
  await knex.raw('drop function check_auction_bid, check_auction_change')
}
