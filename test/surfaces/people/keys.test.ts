import t from 'tap'
import type { Counted } from '../../../core/access/access.ts'
import { createCallers } from '../../../surfaces/people/callers.ts'
import { Keys, maxKeys, personLimit, sessionLimit, tiers } from '../../../surfaces/people/keys.ts'
import { Limits } from '../../../surfaces/people/limits.ts'
import { People } from '../../../surfaces/people/people.ts'
import { publicationNames, Receipts } from '../../../surfaces/people/receipts.ts'
import { SignIn } from '../../../surfaces/people/sign-in.ts'
import { testDatabase } from '../../support/database.ts'

const { database } = await testDatabase(t)
const { knex } = database
const [people, signIn, keys, receipts] = [
  new People(database),
  new SignIn(database),
  new Keys(database),
  new Receipts(database)
]
const callers = createCallers(people, signIn, keys, new Limits(database))
const now = new Date()

const asked = { kind: 'agent', name: 'A reader', contact: 'reader@example.org' } as const

t.test('a key is found by its text, which is not stored, until it is revoked or ends', async t => {
  const owner = await people.add('owner', [])
  const { key, made } = await keys.create({ ...asked, person: owner.id, scopes: ['read', 'hunt'] })
  t.notOk(
    JSON.stringify([await knex('access_keys').select('*'), await knex('account_acts').select('*')]).includes(
      key.slice(11)
    )
  )
  t.match(await callers.find({ key }, now), { credential: 'bearer', id: made.id, grants: ['read', 'hunt'] })
  t.equal((await keys.of(owner.id))[0]?.last_used_on, now.toISOString().slice(0, 10), 'a day, and nothing more')
  t.equal(await callers.find({ key: `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}` }, now), undefined)
  t.equal(await callers.find({ session: key }, now), undefined, 'a key is no session')
  const stranger = await people.add('stranger', [])
  t.equal(await keys.revoke(made.id, { person: stranger.id, actor: stranger.id }), false)
  t.equal(await keys.revoke(made.id, { person: owner.id, actor: owner.id }), true)
  t.equal(await callers.find({ key }, now), undefined)
  t.equal(await keys.setTier(made.id, 'partner'), false, 'a revoked key does not change')
  const ending = await keys.create({ ...asked, days: 1 })
  t.ok(await keys.find(ending.key))
  await knex('access_keys')
    .where({ id: ending.made.id })
    .update({ expires_at: knex.raw("now() - interval '1 second'") })
  t.equal(await keys.find(ending.key), undefined)
})

t.test('a person has so many keys that hold, also where they ask for several at once', async t => {
  const owner = await people.add('collector', [])
  for (let made = 0; made < maxKeys - 2; made += 1) await keys.create({ ...asked, person: owner.id })
  const made = await Promise.allSettled(
    Array.from({ length: 6 }, async () => await keys.create({ ...asked, person: owner.id }))
  )
  t.equal(made.filter(({ status }) => status === 'fulfilled').length, 2)
  t.match(
    made.find(({ status }) => status === 'rejected'),
    { reason: { code: 'CONFLICT', details: { most: maxKeys } } }
  )
  const [first] = await keys.of(owner.id)
  await keys.revoke(first?.id ?? '', { person: owner.id })
  t.ok(await keys.create({ ...asked, person: owner.id }), 'one that was revoked makes room')
})

t.test('keys of a suspended person are refused as long as it lasts, and go with who leaves', async t => {
  const owner = await people.add('paused', [])
  const { key } = await keys.create({ ...asked, person: owner.id })
  await people.setSuspended(owner.id, true)
  t.equal(await keys.find(key), undefined)
  await people.setSuspended(owner.id, false)
  t.ok(await keys.find(key))
  await people.leave(owner.id)
  t.equal(await keys.find(key), undefined)
})

t.test('a wholesale key is another credential', async t => {
  const { key } = await keys.create({ ...asked, kind: 'wholesale' })
  t.match(key, /^pantry_whl_/)
  t.match(await callers.find({ key }, now), { credential: 'wholesaleKey' })
})

t.test('a key has the requests of its tier in a minute, over several processes', async t => {
  const { key } = await keys.create(asked)
  const processes = [
    callers,
    createCallers(people, signIn, keys, new Limits(database)),
    createCallers(people, signIn, keys, new Limits(database))
  ]
  // Six at once: more would wait for connections, and be refused where a machine is slow.
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    const one = processes[lane % 3] ?? callers
    const own: Counted[] = []
    while (own.length < (tiers.free + 6) / 6) {
      const caller = await one.find({ key }, now)
      if (caller === undefined) throw new Error('The key is not found.')
      own.push(await one.count(caller, now))
    }
    return own
  })
  const counted = (await Promise.all(lanes)).flat()
  t.equal(counted.length, tiers.free + 6)
  t.equal(counted.filter(({ isAllowed }) => isAllowed).length, tiers.free)
  t.same(
    new Set(counted.filter(({ isAllowed }) => isAllowed).map(({ remaining }) => remaining)).size,
    tiers.free,
    'each has a place of its own'
  )
  for (const { limit, windowSeconds, remaining, resetSeconds } of counted.filter(({ isAllowed }) => !isAllowed)) {
    t.match({ limit, windowSeconds, remaining }, { limit: tiers.free, windowSeconds: 60, remaining: 0 })
    t.ok(resetSeconds > 0 && resetSeconds <= 60)
  }
})

t.test('a session has requests of its own, also beside another one of the same person', async t => {
  const { id } = await people.add('twice-here', [])
  const left = async (): Promise<number> => {
    const session = (await signIn.withCode('twice-here', await signIn.issueCode(id)))?.secret ?? ''
    const caller = await callers.find({ session }, now)
    return caller === undefined ? 0 : (await callers.count(caller, now)).remaining
  }
  t.same([await left(), await left()], [sessionLimit - 1, sessionLimit - 1])
})

t.test('new keys and new sessions buy a person nothing: above them all stands one limit', async t => {
  const { id } = await people.add('many-keys', [])
  let allowed = 0
  let refused: Counted | undefined
  const use = async (presented: Parameters<typeof callers.find>[0]): Promise<void> => {
    const caller = await callers.find(presented, now)
    if (caller === undefined) throw new Error('There is no such caller.')
    const counted = await callers.count(caller, now)
    if (counted.isAllowed) allowed += 1
    else refused = counted
  }
  await knex('rate_limits').insert({ key: `person:${id}`, points: personLimit - 20, expire: Date.now() + 60_000 })
  for (let at = 0; at < 8; at += 1) {
    const { key, made } = await keys.create({ ...asked, person: id })
    for (let request = 0; request < 3; request += 1) await use({ key })
    await keys.revoke(made.id)
    await use({ session: (await signIn.withCode('many-keys', await signIn.issueCode(id)))?.secret ?? '' })
  }
  t.equal(allowed, 20)
  t.equal(personLimit, 2 * sessionLimit)
  t.match(refused, { limit: personLimit, windowSeconds: 60, remaining: 0 })
  const { key } = await keys.create({ kind: 'agent', name: 'x', contact: 'a@example.org' })
  const caller = await callers.find({ key }, now)
  if (caller !== undefined)
    t.match(
      await callers.count(caller, now),
      { isAllowed: true, limit: tiers.free },
      'a key of the operator is of nobody'
    )
})

t.test(
  'a clock that is ahead locks nobody: the clock of the database counts, and a window is never longer than it says',
  async t => {
    const { key } = await keys.create(asked)
    const ahead = Date.now
    t.teardown(() => {
      Date.now = ahead
    })
    Date.now = () => ahead() + 3_600_000
    const once = async (): Promise<Counted> => {
      const caller = await createCallers(people, signIn, keys, new Limits(database)).find({ key }, now)
      if (caller === undefined) throw new Error('The key is not found.')
      return await createCallers(people, signIn, keys, new Limits(database)).count(caller, now)
    }
    await once()
    Date.now = ahead
    const { resetSeconds } = await once()
    t.ok(resetSeconds <= 60, String(resetSeconds))
    // As a version that went by the clock of its process left it.
    await knex('rate_limits').update({ expire: Date.now() + 3_600_000 })
    t.ok((await once()).resetSeconds <= 60)
  }
)

t.test('a receipt is given once, ended at once, and replaced by one of a new notice', async t => {
  const { id } = await people.add('shown', [])
  const [first, again] = await Promise.all([receipts.give(id, 'profile', '1'), receipts.give(id, 'profile', '1')])
  t.equal(first.id, again.id)
  const next = await receipts.give(id, 'profile', '2')
  t.not(next.id, first.id)
  t.same(
    (await receipts.of(id)).map(({ notice_version: version, withdrawn_at: ended }) => [version, ended === null]),
    [
      ['2', true],
      ['1', false]
    ]
  )
  t.equal(await receipts.withdraw(id, 'profile'), true)
  t.equal(await receipts.withdraw(id, 'profile'), false)
  t.ok(publicationNames.length >= 5)
})

t.test('tests of examples get a key with the scope that they ask for, which ends within the hour', async t => {
  const key = await callers.keyForTests?.({ credential: 'bearer', grants: ['hunt'] })
  t.match(await callers.find({ key: key ?? '' }, now), { credential: 'bearer', grants: ['read', 'hunt'] })
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    "select expires_at < now() + interval '61 minutes' as ends from access_keys order by created_at desc limit 1"
  )
  t.same(rows, [{ ends: true }])
  const other = await callers.keyForTests?.({ credential: 'wholesaleKey', grants: [] })
  t.match(await callers.find({ key: other ?? '' }, now), { credential: 'wholesaleKey', grants: ['read'] })
  t.equal(await callers.keyForTests?.({ credential: 'another', grants: [] }), undefined)
  const session = await callers.keyForTests?.({ credential: 'session', grants: ['admin'], name: 'seller' })
  t.match(await callers.find({ session: session ?? '' }, now), { credential: 'session', grants: ['admin'] })
})
