import type { Knex } from 'knex'

export const replaces = [
  '0014_shared',
  '0015_accounts',
  '0017_collectors',
  '0018_passkeys',
  '0019_mail',
  '0024_reports',
  '0025_limits_and_keys'
]
export const mayReplace = ['0026_shares', '0027_restored']

/**
 * The tables that a restore leaves empty, because nobody can tell which of their rows were ended or used since the
 * backup.
 */
const ended = ['sessions', 'sign_in_codes', 'mailed_codes', 'passkey_challenges', 'invitations', 'seals']

// `comment on` accepts only a literal, so the text is no parameter.
async function endWithRestore(knex: Knex): Promise<void> {
  for (const table of ended) await knex.raw(`comment on table ${table} is 'Ends with a restore.'`)
}

/**
 * Creates the table of the secrets of seals; a restore leaves it empty, so that what was sealed before is not valid
 * after it.
 */
async function createSeals(knex: Knex): Promise<void> {
  await knex.schema.createTable('seals', table => {
    table.text('name').primary()
    table.text('secret').notNullable()
  })
}

/**
 * People, how they sign in, their keys, and what they say of themselves. Codes, keys and the secrets of sessions are
 * stored as their SHA-256. `surfaces/people/personal.ts` says of every column with personal data what it is for and
 * when it is deleted.
 */
export async function up(knex: Knex): Promise<void> {
  // The secrets that all processes of one service share.
  await knex.schema.createTable('secrets', table => {
    table.text('name').primary()
    table.text('secret').notNullable().comment('Bytes in base64url')
  })
  await knex.schema.createTable('people', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.specificType('username', 'text collate "C"').notNullable().unique()
    table.specificType('roles', 'text[]').notNullable().defaultTo('{}')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('suspended_at')
    // When a suspension and roles were last changed: after a restore, the journal repeats only changes that are later.
    table.timestamp('suspension_changed_at')
    table.timestamp('roles_changed_at')
  })
  const ofPerson = (table: Knex.CreateTableBuilder): Knex.ReferencingColumnBuilder =>
    table.uuid('person').notNullable().references('people.id').onDelete('cascade')
  await knex.schema.createTable('sign_in_codes', table => {
    ofPerson(table).primary()
    table.text('digest').notNullable()
    table.integer('attempts_left').notNullable().defaultTo(5)
    table.timestamp('expires_at').notNullable()
  })
  await knex.schema.createTable('sign_in_counts', table => {
    table.comment(
      'How many codes were tried, in parts that names are spread over: so that a name nobody has costs as much as another'
    )
    table.integer('part').primary()
    table.bigInteger('tried').notNullable()
  })
  await knex.schema.createTable('sessions', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.text('digest').notNullable().unique()
    table.text('form_token').notNullable()
    ofPerson(table).index()
    table.timestamp('signed_in_at').notNullable().defaultTo(knex.fn.now())
    table.date('last_used_on').notNullable()
    table.timestamp('expires_at').notNullable()
  })
  await knex.schema.createTable('access_keys', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.text('digest').notNullable().unique()
    table.text('kind').notNullable().checkIn(['agent', 'wholesale'])
    table.text('origin').notNullable().checkIn(['operator-managed', 'self-serve'])
    table.uuid('person').references('people.id').onDelete('cascade').index()
    table.text('name').notNullable()
    table.text('contact').notNullable()
    table.text('tier').notNullable().checkIn(['free', 'standard', 'partner'])
    table.specificType('scopes', 'text[]').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('expires_at')
    table.date('last_used_on')
    table.timestamp('revoked_at')
    table.timestamp('tier_changed_at')
    table.timestamp('scopes_changed_at')
  })
  await knex.schema.createTable('publication_receipts', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    ofPerson(table).index()
    table.text('scope').notNullable()
    table.text('notice_version').notNullable()
    table.timestamp('given_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('withdrawn_at')
  })
  await knex.raw(
    'create unique index publication_receipts_current on publication_receipts (person, scope) where withdrawn_at is null'
  )
  await knex.schema.createTable('account_acts', table => {
    table.comment(
      'What was done to accounts, by whom: people by their ids, which say nothing once they have left; no secrets'
    )
    table.increments('id')
    table.timestamp('at').notNullable().defaultTo(knex.fn.now()).index()
    table.text('actor').notNullable()
    table.text('act').notNullable()
    table.text('subject').notNullable()
    table.jsonb('details').notNullable()
  })
  // The columns are named as `rate-limiter-flexible` names them. Counts need not outlive a crash: without a write-ahead
  // log, writes do not wait for a disk.
  await knex.schema.createTable('rate_limits', table => {
    table.string('key', 255).primary()
    table.integer('points').notNullable().defaultTo(0)
    table.bigInteger('expire')
  })
  await knex.raw('alter table rate_limits set unlogged')
  // Passkeys, and the challenges that passkeys answer; a challenge is used once.
  await knex.schema.createTable('passkeys', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.uuid('person').notNullable().references('people.id').onDelete('cascade').index()
    table.text('credential').notNullable().unique()
    table.binary('public_key').notNullable()
    table.bigInteger('counter').notNullable()
    table.string('name', 80).notNullable()
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.date('last_used_on')
  })
  await knex.schema.createTable('passkey_challenges', table => {
    table.text('digest').primary()
    table.uuid('person').references('people.id').onDelete('cascade')
    table.timestamp('expires_at').notNullable().index()
  })
  // Mail addresses that their owners have confirmed, the codes that were mailed, and the operator's invitations.
  await knex.schema.createTable('mail_addresses', table => {
    table.uuid('person').primary().references('people.id').onDelete('cascade')
    table.string('address', 254).notNullable().unique()
    table.timestamp('confirmed_at').notNullable().defaultTo(knex.fn.now())
  })
  await knex.schema.createTable('mailed_codes', table => {
    table.text('request').primary()
    table.uuid('person').references('people.id').onDelete('cascade')
    table.string('address', 254).notNullable()
    table.text('purpose').notNullable().checkIn(['sign-in', 'sign-up', 'address'])
    table.text('digest').notNullable()
    table.smallint('attempts_left').notNullable().checkBetween([0, 5])
    table.timestamp('asked_at').notNullable().defaultTo(knex.fn.now())
    table.text('asked_by')
    table.index(['address', 'asked_at'])
  })
  await knex.schema.createTable('invitations', table => {
    table.text('digest').primary()
    table.timestamp('expires_at').notNullable()
  })
  // What people say of themselves, the cards that they have and look for, and the collectives that they speak for.
  await knex.schema.createTable('profiles', table => {
    table.uuid('person').primary().references('people.id').onDelete('cascade')
    table.specificType('languages', 'text[]').notNullable()
    table.string('region', 2)
    table.text('cadence')
  })
  await knex.schema.createTable('list_cards', table => {
    table.uuid('person').notNullable().references('people.id').onDelete('cascade')
    table.text('list').notNullable().checkIn(['have', 'want'])
    table.string('sku', 160).notNullable()
    table.integer('quantity').notNullable().checkPositive()
    table.primary(['person', 'list', 'sku'])
  })
  await knex.schema.createTable('organisations', table => {
    table.uuid('person').primary().references('people.id').onDelete('cascade')
    table.string('slug', 80).notNullable().unique()
    table.string('display_name', 120).notNullable()
    table.text('kind').notNullable()
    table.string('region', 2)
    table.specificType('languages', 'text[]').notNullable()
    table.specificType('games', 'text[]').notNullable()
    table.string('description', 500).notNullable()
    table.string('website_url', 300)
    table.string('public_contact_url', 300)
    table.string('accessibility_notes', 500)
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('approved_at')
  })
  // The public collectives: those approved, of a person who is not suspended, with a receipt that is not withdrawn.
  await knex.raw(`
    create view listed_organisations as select o.*, r.given_at as listed_at, r.notice_version from organisations o join people p on p.id = o.person and p.suspended_at is null
      join publication_receipts r on r.person = o.person and r.scope = 'organisation' and r.withdrawn_at is null where o.approved_at is not null`)
  await createSeals(knex)
  await endWithRestore(knex)
}

/** Makes the changes of 0026 and 0027 where these have not run. */
export async function adopt(knex: Knex): Promise<void> {
  await knex.raw('alter table mailed_codes add column if not exists asked_by text')
  await knex.raw('alter table sign_in_codes alter column attempts_left set default 5')
  for (const [table, column] of [
    ['people', 'suspension_changed_at'],
    ['people', 'roles_changed_at'],
    ['access_keys', 'tier_changed_at'],
    ['access_keys', 'scopes_changed_at']
  ] as const)
    await knex.raw('alter table ?? add column if not exists ?? timestamptz', [table, column])
  if (!(await knex.schema.hasTable('seals'))) await createSeals(knex)
  await endWithRestore(knex)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop view listed_organisations')
  for (const table of [
    'seals',
    'organisations',
    'list_cards',
    'profiles',
    'invitations',
    'mailed_codes',
    'mail_addresses',
    'passkey_challenges',
    'passkeys',
    'rate_limits',
    'account_acts',
    'publication_receipts',
    'access_keys',
    'sessions',
    'sign_in_counts',
    'sign_in_codes',
    'people',
    'secrets'
  ])
    await knex.schema.dropTable(table)
}
