// test: slow.
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { migrationsOf } from '../../../bin/roots.ts'
import { restore } from '../../../core/database/backup/restore.ts'
import { tablesOf, unrestoredOf } from '../../../core/database/backup/tables.ts'
import { backupText } from '../../../core/database/backup/write.ts'
import { removeListing } from '../../../surfaces/market/listing.ts'
import { operatorActor, removeReview, resolveSignal, setSignal, signals } from '../../../surfaces/market/operating.ts'
import { actKinds, replayJournal } from '../../../surfaces/people/acts.ts'
import { Keys } from '../../../surfaces/people/keys.ts'
import { MailAddresses } from '../../../surfaces/people/mail.ts'
import { Organisations, versionOf } from '../../../surfaces/people/organisations.ts'
import { Passkeys } from '../../../surfaces/people/passkeys.ts'
import { People } from '../../../surfaces/people/people.ts'
import { personalTables } from '../../../surfaces/people/personal.ts'
import { Receipts } from '../../../surfaces/people/receipts.ts'
import { SignIn } from '../../../surfaces/people/sign-in.ts'
import { Inbox } from '../../../surfaces/playful/inbox.ts'
import { testDatabase } from '../../support/database.ts'

const { database } = await testDatabase(t)
const { knex, bulk } = database
const [people, signIn, keys, receipts, passkeys, mail, organisations, inbox] = [
  new People(database),
  new SignIn(database),
  new Keys(database),
  new Receipts(database),
  new Passkeys(database),
  new MailAddresses(database),
  new Organisations(database),
  new Inbox(database)
]
const journalOf = (t: Test): string => {
  const folder = t.testdir()
  knex.userParams = { dataDir: folder }
  return folder
}

/** Makes a backup; gives what brings it back. */
async function backedUp(): Promise<() => Promise<void>> {
  const migrations = migrationsOf([])
  const pieces: Buffer[] = []
  for await (const piece of backupText(bulk, {
    made_at: new Date().toISOString(),
    migrations: migrations.map(({ name }) => name),
    secrets: {}
  }))
    pieces.push(Buffer.from(piece))
  return async () => {
    await restore(bulk, Readable.from(pieces), { migrations, replace: true })
  }
}

const written = {
  slug: 'owls',
  display_name: 'Owls',
  kind: 'club',
  region: 'NL',
  languages: ['nl'],
  games: ['op'],
  description: 'A club.',
  website_url: null,
  public_contact_url: null,
  accessibility_notes: null
} as const
const passkeyOf = async (person: string, credential: string): Promise<string> =>
  (
    (await knex('passkeys')
      .insert({ person, credential, public_key: Buffer.of(1), counter: 0, name: 'x' })
      .returning('id')) as [{ id: string }]
  )[0].id
const addressOf = async (person: string, address: string): Promise<void> => {
  await knex.transaction(async transaction => {
    await mail.keep(transaction, person, address)
  })
}
const listing = async (seller: string): Promise<string> =>
  (
    (await knex('auctions')
      .insert({
        seller,
        sku: 'x',
        title: 'A card',
        condition: 'NM',
        auction_type: 'buy_now',
        license: 'NOASSERTION',
        currency: 'GBP',
        starting_price: 1,
        buy_now_price: 1,
        status: 'live',
        starts_at: knex.raw("now() - interval '1 hour'"),
        ends_at: knex.raw("now() + interval '1 hour'"),
        submitted_at: knex.fn.now()
      })
      .returning('id')) as [{ id: string }]
  )[0].id

t.test('a restored backup brings back nothing that was ended after it', async t => {
  const folder = journalOf(t)
  const file = join(folder, 'journal', 'endings.ndjson')
  const [gone, thistle, juniper, resumed, stays] = (await Promise.all(
    ['canary-gone', 'thistle', 'juniper', 'resumed', 'stays'].map(
      async name => await people.add(name, name === 'juniper' || name === 'resumed' ? ['admin'] : [])
    )
  )) as [Person, Person, Person, Person, Person]
  const session = (await signIn.withCode('stays', await signIn.issueCode(stays.id)))?.secret ?? ''
  const code = await signIn.issueCode(juniper.id)
  const { invitation } = await mail.invite()
  await knex('idempotency_keys').insert({ person: stays.id, route: 'bids', key: 'x', digest: 'x', body: '{}' })
  await knex('mailed_codes').insert({
    request: 'x',
    address: 'a@example.org',
    purpose: 'sign-up',
    digest: 'y',
    attempts_left: 5
  })
  const [revoked, smaller, kept] = (await Promise.all(
    ['x', 'y', 'z'].map(
      async name =>
        (
          await keys.create({
            kind: 'agent',
            name,
            contact: 'a@example.org',
            tier: 'partner',
            scopes: ['read', 'hunt'],
            person: stays.id
          })
        ).made.id
    )
  )) as [string, string, string]
  const [lost, owned] = [await passkeyOf(stays.id, 'lost'), await passkeyOf(stays.id, 'owned')]
  await addressOf(stays.id, 'first@example.org')
  await addressOf(thistle.id, 'thistle@example.org')
  await addressOf(juniper.id, 'juniper@example.org')
  await receipts.give(stays.id, 'profile', '1')
  const region = await receipts.give(stays.id, 'region', '1')
  await organisations.put(stays.id, written)
  await organisations.approve('owls', versionOf({ person: stays.id, ...written }))
  await organisations.put(thistle.id, { ...written, slug: 'wrens' })
  await organisations.approve('wrens', versionOf({ person: thistle.id, ...written, slug: 'wrens' }))
  const [report, letter] = [
    await inbox.keep({ kind: 'general' }, false, true),
    await inbox.keep({ kind: 'general' }, false, true)
  ]
  const [insulting, other] = [await listing(thistle.id), await listing(thistle.id)]
  const [review] = (await knex('auction_reviews')
    .insert({
      auction: other,
      author: stays.id,
      about: thistle.id,
      by: 'winner',
      stars: 1,
      text: 'Insults.',
      license: 'NOASSERTION',
      reviewer_score: 50
    })
    .returning('id')) as [{ id: string }]
  t.notOk(
    /people|receipts|passkeys/.test(existsSync(file) ? readFileSync(file, 'utf8') : ''),
    'what begins is not written down'
  )
  const saying = await listing(gone.id)
  const bringBack = await backedUp()

  await people.leave(gone.id)
  await people.setSuspended(thistle.id, true)
  await people.setSuspended(resumed.id, true)
  await people.setSuspended(resumed.id, false)
  await people.setRole(juniper.id, 'admin', false)
  await people.setRole(resumed.id, 'admin', false)
  await people.setRole(resumed.id, 'admin', true)
  await keys.revoke(revoked)
  await keys.setTier(smaller, 'free')
  await keys.setScopes(smaller, ['read'])
  await passkeys.remove(stays.id, lost)
  await addressOf(stays.id, 'second@example.org')
  await mail.remove(thistle.id)
  await receipts.give(stays.id, 'profile', '2')
  await receipts.withdraw(stays.id, 'profile')
  await organisations.put(stays.id, { ...written, description: 'Another.' })
  await organisations.remove({ slug: 'wrens' }, 'operator', 'Not a club.')
  await inbox.remove(report)
  await inbox.remove(letter, 'operator')
  await removeListing(database, operatorActor, insulting, 'Insults.')
  await removeReview(database, review, 'Insults.')
  await setSignal(database, stays.id, 'high', 'Two accounts.')
  await resolveSignal(database, (await setSignal(database, stays.id, 'low', 'A mistake.')) ?? '')
  t.notMatch(readFileSync(file, 'utf8'), /canary|stays|owls|Insults|mistake|example\.org/)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(await replayJournal(database, folder), 0, 'a service that starts again changes nothing')

  await bringBack()
  t.ok(await people.byName('canary-gone'), 'a backup came back')
  for (const table of [
    'sessions',
    'sign_in_codes',
    'mailed_codes',
    'passkey_challenges',
    'invitations',
    'idempotency_keys',
    'seals'
  ])
    t.same(await knex(table), [], table)
  t.equal(await signIn.find(session), undefined)
  t.equal(await signIn.withCode('juniper', code), undefined)
  t.equal(await mail.isInvited(invitation), false)
  t.ok((await replayJournal(database, folder)) > 10)
  const after = async (): Promise<void> => {
    t.equal(await people.byName('canary-gone'), undefined)
    t.match(
      await knex('auctions').where({ id: saying }).select('title', 'seller'),
      [{ title: 'x', seller: null }],
      'nor their words'
    )
    t.ok((await people.byName('thistle'))?.suspended_at, 'suspended')
    t.match(
      await people.byName('resumed'),
      { suspended_at: null, roles: ['admin'] },
      'what was taken back later is not done again'
    )
    t.same((await people.byName('juniper'))?.roles, [])
    t.same(
      (await keys.of(stays.id))
        .filter(({ revoked_at: at }) => at === null)
        .map(({ id }) => id)
        .sort(),
      [smaller, kept].sort()
    )
    t.match(
      (await keys.of(stays.id)).find(({ id }) => id === smaller),
      { tier: 'free', scopes: ['read'] }
    )
    t.match(
      (await keys.of(stays.id)).find(({ id }) => id === kept),
      { tier: 'partner', scopes: ['read', 'hunt'] }
    )
    t.same(
      (await passkeys.of(stays.id)).map(({ id }) => id),
      [owned]
    )
    t.equal(await mail.of(stays.id), undefined, 'the address that another one took the place of')
    t.equal(await mail.of(thistle.id), undefined)
    t.match(await mail.of(juniper.id), { address: 'juniper@example.org' })
    t.same(
      (await receipts.of(stays.id)).filter(({ withdrawn_at: at }) => at === null).map(({ id }) => id),
      [region.id],
      'also the earlier one of a scope'
    )
    t.match(await organisations.of(stays.id), { approved_at: null })
    t.equal(await organisations.of(thistle.id), undefined)
    t.same(await knex('feedback_reports'), [])
    t.match(
      await knex('auctions')
        .whereIn('id', [insulting, other])
        .orderByRaw('removed_at is null')
        .select('status', 'removed_at'),
      [
        { status: 'cancelled', removed_at: String },
        { status: 'live', removed_at: null }
      ]
    )
    t.match(await knex('auction_reviews').select('removed_at'), [{ removed_at: String }])
    t.match(await signals(database), [{ username: 'stays', severity: 'high' }])
  }
  await after()
  t.equal(await replayJournal(database, folder), 0)
  await after()
})
type Person = Awaited<ReturnType<typeof people.add>>

t.test('every table says what a restore brings back of it, and does so', async t => {
  // Of no person: the catalogue and what it is made of; what seals practice matches; the events of sales, without who;
  // and the chain of draws, which stops by itself where a backup is older than its head.
  const nobodys = [
    'artists',
    'card_changes',
    'card_hashes',
    'card_names',
    'name_starts',
    'name_numbers',
    'set_words',
    'cards',
    'catalogue_state',
    'coverage_patterns',
    'declared_sets',
    'source_proofs',
    'disagreements',
    'games',
    'hunt_cases',
    'name_words',
    'observations',
    'outside_readings',
    'quarantine',
    'runs',
    'secrets',
    'set_listings',
    'set_numbers',
    'set_statements',
    'sets',
    'sightings',
    'unseen_sets',
    'withdrawals',
    'auction_events',
    'draw_rates',
    'draws',
    'proof_batches',
    'proof_epochs',
    'proof_keys',
    'proof_nodes',
    'pantry_jobs'
  ]
  const left = await unrestoredOf(knex)
  const names = (await tablesOf(knex)).map(({ table }) => table)
  for (const table of names) {
    const declared =
      personalTables.find(one => one.table === table)?.restored ??
      (['seals', 'pantry_idempotency_keys'].includes(table)
        ? 'nothing'
        : nobodys.includes(table)
          ? 'as they were'
          : 'undeclared')
    t.not(declared, 'undeclared', `${table}: personal.ts, or the list here, says what a restore does with it`)
    t.equal(left.includes(table), declared === 'nothing', table)
  }
  const changed = new Set(
    Object.values(actKinds).flatMap(kind =>
      'again' in kind ? (/(?:update|delete from|insert into) (\w+)/.exec(kind.again)?.[1] ?? []) : []
    )
  )
  for (const { table, restored } of personalTables)
    t.equal(changed.has(table), restored === 'without what was ended', table)
  // Not logged, so no backup has it.
  t.notOk(names.includes('rate_limits'))
})

t.test('what an older journal says, whose lines have no details, is done again too', async t => {
  const folder = journalOf(t)
  const { id } = await people.add('older', [])
  const given = await receipts.give(id, 'profile', '1')
  mkdirSync(join(folder, 'journal'))
  writeFileSync(
    join(folder, 'journal', 'endings.ndjson'),
    `{"at":"2026-11-01T00:00:00.000Z","act":"receipts.withdraw","subject":"${given.id}"}\n{"at":"2026-11-01T00:00:00.000Z","act":"people.leave","subject":"${id}"}\n`
  )
  t.equal(await replayJournal(database, folder), 2)
  t.equal(await people.byName('older'), undefined)
})

t.test('an entry after a line that was cut off is kept', async t => {
  const folder = journalOf(t)
  const file = join(folder, 'journal', 'endings.ndjson')
  const { id } = await people.add('later', [])
  mkdirSync(join(folder, 'journal'))
  writeFileSync(file, '{"act":"people.leave","subj')
  await people.leave(id)
  const [, entry, ...rest] = readFileSync(file, 'utf8').split('\n')
  t.match(JSON.parse(entry ?? ''), { act: 'people.leave', subject: id })
  t.same(rest, [''])
})

t.test('a line that was cut off and one that says something else end nothing', async t => {
  const folder = t.testdir()
  const { id } = await people.add('survivor', [])
  mkdirSync(join(folder, 'journal'))
  writeFileSync(join(folder, 'journal', 'endings.ndjson'), `{"act":"people.leave","subject":"${id}\n`)
  appendFileSync(
    join(folder, 'journal', 'endings.ndjson'),
    `{"at":"2026-11-01T00:00:00.000Z","act":"drop","subject":"${id}"}\n{"at":"2026-11-01T00:00:00.000Z","act":"people.leave","subject":"' or true --"}\n{"at":"x","act":"people.leave","subject":"${id}"}\nnull\n`
  )
  t.equal(await replayJournal(database, folder), 0)
  t.ok(await people.byName('survivor'))
})

t.test('where the journal cannot be written nobody has left', async t => {
  const folder = t.testdir({ journal: 'a file, where a folder should be' })
  knex.userParams = { dataDir: folder }
  const { id } = await people.add('wants-to-leave', [])
  await t.rejects(people.leave(id))
  t.ok(await people.byName('wants-to-leave'))
})
