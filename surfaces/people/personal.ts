// Larger than 16 KB because it is one table: what is kept of people, which a test holds against the database.

/** The personal data in one table of the database. */
type PersonalTable = Readonly<{
  table: string
  /** Each column with personal data, and its purpose. */
  columns: Readonly<Record<string, string>>
  /** How long a row is kept, in words. */
  kept: string
  /**
   * What a restored backup brings back: the rows as they were; without what acts have ended since, see `acts.ts`;
   * or nothing, as the SQL comment on the table says.
   */
  restored: 'as they were' | 'without what was ended' | 'nothing'
  /** SQL condition for rows whose retention has ended. Absent if no time ends it. */
  ended?: string
  /**
   * SQL statements that run before `:person` is deleted: for rows that no foreign key deletes, and their texts in other
   * rows.
   */
  leaving?: readonly string[]
  /** SQL condition for the rows of `:person`; by default `person = :person`. */
  whose?: string
  /** SQL, by column, for what `:person` sees in the export of columns that also concern others. */
  shown?: Readonly<Record<string, string>>
}>

const withPerson = 'Whose it is.'

/** SQL for the ids of the keys of `:person`. */
const ownKeys = '(select id from access_keys where person = :person)'
/** SQL condition for request counts of `:person` and of their sessions and keys. */
const ownCounts =
  "split_part(key, ':', 2) in (select id::text from sessions where person = :person union select id::text from access_keys where person = :person union select :person::text)"
/** SQL condition that no row meets, for tables whose rows cannot be traced to a person. */
const nobodys = ':person::text is null'
const ofSeller = (column: string): string => `case when seller = :person then ${column} end`

/** Gives several columns, with white space between them, the same purpose. */
const samePurpose = (purpose: string, columns: string): Readonly<Record<string, string>> =>
  Object.fromEntries(columns.split(/\s+/).map(column => [column, purpose]))

/** All personal data that is stored. The privacy notice shows it, and a test compares it with the database. */
export const personalTables: readonly PersonalTable[] = [
  {
    table: 'people',
    restored: 'without what was ended',
    columns: {
      id: 'Tells the person apart inside of the service.',
      username: 'What the person signs in with.',
      roles: 'What the person may do.',
      created_at: 'Since when there is the account.',
      suspended_at: 'Since when the person may not sign in.',
      ...samePurpose('When it was changed last, so that no backup undoes it.', 'suspension_changed_at roles_changed_at')
    },
    whose: 'id = :person',
    kept: 'Until the person leaves.'
  },
  {
    table: 'sign_in_codes',
    restored: 'nothing',
    columns: {
      person: withPerson,
      digest: 'The code, as a hash.',
      attempts_left: 'Of an earlier version.',
      expires_at: 'When it ends.'
    },
    kept: '15 minutes, or until it is used.',
    ended: 'expires_at < now()'
  },
  {
    table: 'sessions',
    restored: 'nothing',
    columns: {
      id: 'Lets the person end the session.',
      digest: 'What the browser presents, as a hash.',
      form_token: 'What forms carry, so that no other site can send them.',
      person: withPerson,
      signed_in_at: 'Whether the sign-in is new enough for what cannot be taken back.',
      last_used_on: 'Ends a session that is not used.',
      expires_at: 'When it ends in any case.'
    },
    kept: 'Until it is ended: by the person, after 30 days without use, or after 90 days.',
    ended: 'expires_at < now() or last_used_on <= current_date - 30'
  },
  {
    table: 'mail_addresses',
    restored: 'without what was ended',
    columns: {
      person: withPerson,
      address: 'Where codes are mailed to, when the person asks for one. Nothing else is.',
      confirmed_at: 'When the person showed that it is theirs.'
    },
    kept: 'Until it is removed or replaced, or the person leaves.'
  },
  {
    table: 'mailed_codes',
    restored: 'nothing',
    columns: {
      request: 'What the browser that asked presents, as a hash.',
      person: 'Whose it is; nobody for a new account.',
      address: 'Where it was mailed to, so that strangers can have no more than three sent to it in an hour.',
      purpose: 'What the code is for.',
      digest: 'The code, as a hash; empty once it was used.',
      attempts_left: 'How often it can still be tried.',
      asked_at: 'When it was asked for.',
      asked_by:
        'The id of who is signed in and asked, or a hash of the network that was asked from, with a salt that nobody knows: so that strangers do not use up the codes of an hour.'
    },
    whose: 'person = :person or address = (select address from mail_addresses where person = :person)',
    leaving: ['delete from mailed_codes where address in (select address from mail_addresses where person = :person)'],
    kept: 'One hour; the code works for 15 minutes.',
    ended: "asked_at < now() - interval '1 hour'"
  },
  {
    table: 'invitations',
    restored: 'nothing',
    columns: { digest: 'The invitation, as a hash. It names nobody.', expires_at: 'When it ends.' },
    kept: 'Seven days, or until it is used.',
    ended: 'expires_at < now()',
    whose: nobodys
  },
  {
    table: 'passkeys',
    restored: 'without what was ended',
    columns: {
      id: 'Names the passkey.',
      person: withPerson,
      credential: 'Finds the passkey that a browser answers with.',
      public_key: 'Checks what it signs.',
      counter: 'Notices a copy of it.',
      name: 'What its owner calls it.',
      created_at: 'Since when there is the passkey.',
      last_used_on: 'The day of its last use.'
    },
    kept: 'Until it is removed, or the person leaves.'
  },
  {
    table: 'passkey_challenges',
    restored: 'nothing',
    columns: {
      digest: 'What a passkey has answered, as a hash, so that it answers once.',
      person: 'Of an earlier version.',
      expires_at: 'When it ends.'
    },
    kept: 'Five minutes.',
    ended: 'expires_at < now()'
  },
  {
    table: 'access_keys',
    restored: 'without what was ended',
    columns: {
      id: 'Names the key without showing it.',
      digest: 'The key, as a hash.',
      kind: 'Whether it is for an agent or a wholesale partner.',
      origin: 'Who gave it out.',
      person: withPerson,
      name: 'What it is for, in the words of its owner.',
      contact: 'Whom to ask about it.',
      tier: 'How many requests it has.',
      scopes: 'What it may do.',
      created_at: 'Since when there is the key.',
      expires_at: 'When it ends.',
      last_used_on: 'The day of its last use, so that an unused key is noticed.',
      revoked_at: 'Since when it is refused.',
      ...samePurpose('When it was changed last, so that no backup undoes it.', 'tier_changed_at scopes_changed_at')
    },
    kept: 'Until the person leaves; 90 days after it has ended.',
    ended: "coalesce(revoked_at, expires_at) < now() - interval '90 days'"
  },
  {
    table: 'publication_receipts',
    restored: 'without what was ended',
    columns: {
      id: 'Names the receipt.',
      person: withPerson,
      scope: 'What may be public.',
      notice_version: 'Which notice the person agreed to.',
      given_at: 'When they agreed.',
      withdrawn_at: 'When they ended it.'
    },
    kept: 'Until the person leaves; three years after it was ended, to show what was agreed.',
    ended: "withdrawn_at < now() - interval '3 years'"
  },
  {
    table: 'profiles',
    restored: 'as they were',
    columns: {
      person: withPerson,
      languages: 'What you read, to be compared with others where you agree.',
      region: 'Where you are, for the same.',
      cadence: 'How soon you usually answer, for the same.'
    },
    kept: 'Until it is changed, or the person leaves.'
  },
  {
    table: 'list_cards',
    restored: 'as they were',
    columns: {
      person: withPerson,
      list: 'Whether you have the card or look for it.',
      sku: 'Which card.',
      quantity: 'How many.'
    },
    kept: 'Until it is removed, or the person leaves.'
  },
  {
    table: 'organisations',
    restored: 'without what was ended',
    columns: {
      person: 'Who speaks for the collective.',
      slug: 'Its name in addresses.',
      display_name: 'What it calls itself.',
      kind: 'What it is.',
      region: 'Where it is.',
      languages: 'What it speaks.',
      games: 'What it plays.',
      description: 'What it does.',
      website_url: 'Where it is found.',
      public_contact_url: 'Where it is reached.',
      accessibility_notes: 'What visitors should know.',
      created_at: 'Since when there is the entry.',
      updated_at: 'When it was written last.',
      approved_at: 'Since when the operator lets it be shown.'
    },
    kept: 'Until it is removed, or the person leaves.'
  },
  {
    table: 'hunt_turns',
    restored: 'as they were',
    columns: {
      case_id: 'The case that the turn is of.',
      role: 'Which turn it is.',
      agent: 'Which key took it: none, once the key is gone.',
      client_request_id: 'Makes a retry harmless.',
      digest: 'Tells a retry from another turn.',
      submission:
        'What the agent says of a candidate: a statement about the catalogue, which stays without its author.',
      submitted_at: 'When.'
    },
    whose: `agent in ${ownKeys}`,
    kept: 'For good; the key that took a turn until it is deleted.'
  },
  {
    table: 'feedback_reports',
    restored: 'without what was ended',
    columns: {
      id: 'Takes the report back.',
      report: 'What you wrote to the operator, with the contact that an adopter gives.',
      reply_may_be_public: 'Whether the reply may be read by everyone.',
      received_at: 'When it came.',
      reply: 'What the operator answered.',
      replied_at: 'When.'
    },
    whose: nobodys,
    kept: 'Only with your consent, until you take it back; at most a year.',
    ended: "received_at < now() - interval '1 year'"
  },
  {
    table: 'auctions',
    restored: 'without what was ended',
    columns: {
      seller: 'Who offers it: nobody, once they have left.',
      winner: 'Who bought it: nobody, once they have left.',
      title: 'What the seller calls it.',
      description: 'What the seller says of it.',
      approval_notes: 'What an admin told the seller of a consignment.',
      carrier: 'Who carries the parcel.',
      tracking_number: 'Finds the parcel.',
      cancel_reason: 'Why it was cancelled.',
      dispute_statement: 'What a party says went wrong.',
      dispute_reason: 'Why an admin decided so.',
      ...samePurpose(
        'What is offered, and how.',
        `id sku condition auction_type is_consignment license currency starting_price reserve_price bid_increment
          buy_now_price dutch_end_price dutch_price_drop dutch_drop_interval_seconds allow_best_offer starts_at
          ends_at`
      ),
      ...samePurpose(
        'What came of it.',
        `status approval current_price winning_price extensions bid_count leading_bid winning_bid submitted_at
          actual_end_at paid_at shipped_at received_at removed_at cancelled_by dispute dispute_by dispute_at
          created_at updated_at`
      )
    },
    whose: 'seller = :person or winner = :person',
    shown: {
      seller: 'coalesce(seller = :person, false)',
      winner: 'coalesce(winner = :person, false)',
      reserve_price: ofSeller('reserve_price'),
      approval: ofSeller('approval'),
      approval_notes: ofSeller('approval_notes'),
      dispute_statement: "case when (dispute_by = 'seller') = (seller = :person) then dispute_statement end"
    },
    leaving: [
      "delete from auctions a where seller = :person and (status = 'draft' or (status in ('cancelled', 'ended') and not exists (select from auction_bids b where b.auction = a.id)))",
      `update auctions set title = case when seller = :person then sku else title end, description = case when seller = :person then '' else description end,
        approval_notes = case when seller = :person then null else approval_notes end, cancel_reason = case when seller = :person then null else cancel_reason end, carrier = null, tracking_number = null,
        dispute_statement = case when (dispute_by = 'seller') = (seller is not distinct from :person) then null else dispute_statement end,
        dispute_reason = case when seller is null or winner is null then null else dispute_reason end where seller = :person or winner = :person`
    ],
    kept: 'For good, without seller and buyer once they have left, and without what who left wrote: what one of them depends on is not taken from the other. Drafts, and what is over and nobody bid on, go with the person.'
  },
  {
    table: 'auction_bids',
    restored: 'as they were',
    columns: {
      bidder: 'Who bid: nobody, once they have left.',
      ...samePurpose('What was bid.', 'id auction kind amount state at')
    },
    whose: 'bidder = :person',
    kept: 'With the auction.'
  },
  {
    table: 'auction_addresses',
    restored: 'as they were',
    columns: {
      auction: 'The sale that it is for.',
      person: withPerson,
      address: 'Where to send what was bought. The seller and admins alone see it.',
      given_at: 'When it was given.'
    },
    kept: 'Until 30 days after receipt, or after the decision of a dispute; a year where neither came.',
    ended: `exists (select from auctions a where a.id = auction and (a.status = 'cancelled' or a.updated_at < now() - interval '1 year'
      or ((a.dispute is null or a.dispute not in ('reported', 'open')) and greatest(a.received_at, a.dispute_at) < now() - interval '30 days')))`
  },
  {
    table: 'auction_reviews',
    restored: 'without what was ended',
    columns: {
      ...samePurpose('Which review it is.', 'id auction by'),
      author: 'Who wrote it: nobody, once they have left.',
      about: 'Whom it is about: nobody, once they have left.',
      stars: 'What the author gives.',
      text: 'What the author says.',
      license: 'What others may do with it.',
      reviewer_score: 'What the review weighs.',
      written_at: 'When it was written.',
      removed_at: 'Since when nobody finds it.',
      removed_reason: 'Why an admin removed it.'
    },
    whose: 'author = :person or about = :person',
    shown: { author: 'coalesce(author = :person, false)', about: 'coalesce(about = :person, false)' },
    leaving: ["update auction_reviews set text = '' where author = :person"],
    kept: 'With the auction; its words until the author leaves.'
  },
  {
    table: 'fraud_signals',
    restored: 'without what was ended',
    columns: {
      id: 'Names the signal.',
      person: withPerson,
      severity: 'How much it weighs.',
      reason: 'What an admin saw.',
      set_at: 'When it was set.',
      resolved_at: 'When it was resolved.'
    },
    kept: 'Until the person leaves; a year after it was resolved.',
    ended: "resolved_at < now() - interval '1 year'"
  },
  {
    table: 'content_reports',
    restored: 'as they were',
    columns: {
      ...samePurpose('What the report is about.', 'kind auction review organisation'),
      id: 'Names the report.',
      reporter: 'Who reported it: admins alone see it.',
      ground: 'What is wrong with it.',
      text: 'What the reporter says.',
      reported_at: 'When it was reported.',
      decision: 'What an admin decided.',
      reason: 'Why.',
      decided_at: 'When it was decided.'
    },
    whose: 'reporter = :person',
    shown: { organisation: '(select slug from organisations where person = organisation)' },
    kept: 'Until the person who reported leaves; a year after it was decided.',
    ended: "decided_at < now() - interval '1 year'"
  },
  {
    table: 'idempotency_keys',
    restored: 'nothing',
    columns: {
      person: withPerson,
      route: 'What was asked.',
      key: 'What the browser or program calls the request.',
      digest: 'Tells a retry from another request.',
      status: 'Of an earlier version.',
      body: 'What was answered, without anybody in it.',
      created_at: 'When.'
    },
    kept: '24 hours.',
    ended: "created_at < now() - interval '24 hours'"
  },
  {
    table: 'account_acts',
    restored: 'as they were',
    columns: {
      id: 'Orders the acts.',
      at: 'When it was done.',
      actor: "The id of who did it: nobody's, once they have left.",
      act: 'What was done.',
      subject: 'The id of whom or what it was done to.',
      details: 'What was changed, without secrets and names.'
    },
    whose: `:person in (actor, subject) or actor in (select id::text from ${ownKeys} k) or subject in (select id::text from ${ownKeys} k)`,
    shown: { actor: "case when actor = :person then actor else 'operator' end" },
    leaving: [
      `update account_acts set details = details - 'reason' where subject = cast(:person as text) or subject in (select cast(id as text) from auctions where seller = :person or winner = :person)
        or subject in (select cast(id as text) from auction_reviews where author = :person)`
    ],
    kept: 'One year; that the database was filled to try it out, as long as the database.',
    ended: "at < now() - interval '1 year' and act <> 'dev-seed'"
  },
  {
    table: 'rate_limits',
    restored: 'nothing',
    columns: {
      key: 'What is counted, with the id of who asks, or a hash of the network that they ask from, with a salt of the day that nobody knows.',
      points: 'How many requests there were.',
      expire: 'When the count ends.'
    },
    whose: ownCounts,
    leaving: [`delete from rate_limits where ${ownCounts}`],
    kept: 'A minute; what has a limit for an hour or a day, so long.',
    ended: 'expire < extract(epoch from now()) * 1000'
  },
  {
    table: 'sign_in_counts',
    restored: 'as they were',
    columns: { part: 'One of 256 parts that all names are spread over.', tried: 'How many codes were tried.' },
    whose: nobodys,
    kept: 'For good: it names nobody.'
  }
]
