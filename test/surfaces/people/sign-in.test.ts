import t from 'tap'
import { digestOf } from '../../../core/access/access.ts'
import { People } from '../../../surfaces/people/people.ts'
import { codeAttempts, newCode, normaliseCode, SignIn } from '../../../surfaces/people/sign-in.ts'
import { databaseAt, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

const { database, url } = await testDatabase(t)
const { knex } = database
const [people, signIn] = [new People(database), new SignIn(database)]

const elsewhere = { caller: { grants: [] }, callerHash: 'elsewhere' }

const textsIn = async (): Promise<string> => {
  const tables = ['people', 'sign_in_codes', 'sign_in_counts', 'sessions', 'account_acts']
  return JSON.stringify(await Promise.all(tables.map(async (table): Promise<unknown> => await knex(table).select('*'))))
}

t.test('a code signs in once, and neither it nor the session is stored', async t => {
  const { id } = await people.add('Ada-Example', [])
  const code = await signIn.issueCode(id)
  t.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  const begun = await signIn.withCode(' ADA-example ', code.toLowerCase().replace('-', ' '))
  t.equal(begun?.person, id)
  t.equal(await signIn.withCode('ada-example', code), undefined, 'it was used')
  t.match(await signIn.find(begun?.secret ?? ''), { person: id, roles: [], is_stale: false })
  const stored = await textsIn()
  for (const secret of [code, normaliseCode(code), begun?.secret ?? '']) t.notOk(stored.includes(secret))
  t.ok(stored.includes(digestOf(begun?.secret ?? '')))
  t.equal(await signIn.find(`${begun?.secret}x`), undefined)
})

t.test(
  'five tries end a code for who makes them, and for nobody else; no try says whether there is such a name',
  async t => {
    const { id } = await people.add('guessed', [])
    const code = await signIn.issueCode(id)
    for (let tried = 0; tried < codeAttempts; tried += 1)
      t.equal(await signIn.withCode('guessed', newCode()), undefined)
    t.equal(await signIn.withCode('guessed', code), undefined, 'the right one comes too late')
    t.equal((await signIn.withCode('guessed', code, elsewhere))?.person, id, 'somebody else has lost nothing')
    await signIn.issueCode(id)
    const before = Number((await knex('sign_in_counts').sum({ tried: 'tried' }))[0]?.['tried'])
    t.equal(await signIn.withCode('nobody-of-that-name', code), undefined)
    t.equal(await signIn.withCode('guessed', code), undefined)
    t.equal(
      Number((await knex('sign_in_counts').sum({ tried: 'tried' }))[0]?.['tried']),
      before + 2,
      'a name that nobody has writes as often'
    )
    t.ok(await signIn.withCode('guessed', await signIn.issueCode(id)), 'a new code works')
  }
)

t.test('of tries at once no more than five count, and one alone uses the code', async t => {
  const patient = await databaseAt(t, url)
  const signIn = new SignIn(patient)
  const { id } = await people.add('crowded', [])
  const code = await signIn.issueCode(id)
  // Nobody gets the row of the code before three have asked for it.
  const held = await patient.knex.transaction()
  await held('sign_in_codes').where({ person: id }).forUpdate()
  const tries = [...Array.from({ length: 3 }, () => code), newCode()].map(
    async one => await signIn.withCode('crowded', one)
  )
  await eventually(async () => {
    // A transaction would see for ever what it saw first.
    const [{ count }] = (await knex('pg_stat_activity')
      .where({ wait_event_type: 'Lock', datname: knex.raw('current_database()') })
      .count({ count: '*' })) as [{ count: string }]
    if (Number(count) < 3) throw new Error(`${count} wait for the code.`)
  })
  await held.commit()
  const begun = await Promise.all(tries)
  t.equal(begun.filter(one => one !== undefined).length, 1)
  await signIn.issueCode(id)
  await Promise.all(Array.from({ length: 20 }, async () => await signIn.withCode('crowded', newCode())))
  t.ok(
    Number((await knex('rate_limits').where('key', 'like', 'try a code:%').max({ most: 'points' }))[0]?.['most']) >
      codeAttempts
  )
  for (let round = 0; round < 5; round += 1) {
    const last = await signIn.issueCode(id)
    await Promise.all(Array.from({ length: codeAttempts }, async () => await signIn.withCode('crowded', newCode())))
    t.equal(await signIn.withCode('crowded', last), undefined, 'five at once are five')
  }
})

t.test('a code ends after its minutes, a session after 30 days without use and after 90 in any case', async t => {
  const { id } = await people.add('slow', [])
  const late = await signIn.issueCode(id)
  await knex('sign_in_codes')
    .where({ person: id })
    .update({ expires_at: knex.raw("now() - interval '1 second'") })
  t.equal(await signIn.withCode('slow', late), undefined)
  for (const change of ['last_used_on = current_date - 30', "expires_at = now() - interval '1 second'"]) {
    const begun = await signIn.withCode('slow', await signIn.issueCode(id))
    await knex.raw(`update sessions set ${change} where digest = ?`, [digestOf(begun?.secret ?? '')])
    t.equal(await signIn.find(begun?.secret ?? ''), undefined, change)
  }
  const used = await signIn.withCode('slow', await signIn.issueCode(id))
  await knex.raw('update sessions set last_used_on = current_date - 29 where digest = ?', [
    digestOf(used?.secret ?? '')
  ])
  t.match(await signIn.find(used?.secret ?? ''), { is_stale: true })
  t.match(
    await signIn.find(used?.secret ?? ''),
    { is_stale: false },
    'the day of its last use is kept, and nothing more'
  )
})

t.test('a role holds, and a suspension ends, what lives', async t => {
  const { id } = await people.add('changing', [])
  const begun = await signIn.withCode('changing', await signIn.issueCode(id))
  const secret = begun?.secret ?? ''
  await people.setRole(id, 'admin', true)
  t.same((await signIn.find(secret))?.roles, ['admin'])
  await people.setRole(id, 'admin', false)
  t.same((await signIn.find(secret))?.roles, [])
  const waiting = await signIn.issueCode(id)
  await people.setSuspended(id, true)
  t.equal(await signIn.find(secret), undefined)
  t.equal(await signIn.withCode('changing', waiting), undefined)
  await people.setSuspended(id, false)
  t.equal(await signIn.find(secret), undefined, 'it does not come back')
})

t.test("a person ends their own sessions, and nobody else's", async t => {
  const [mine, other] = [await people.add('mine', []), await people.add('other', [])]
  const begun = await signIn.withCode('mine', await signIn.issueCode(mine.id))
  const [session] = await signIn.sessionsOf(mine.id)
  t.equal(await signIn.end(other.id, session?.id ?? ''), false)
  t.ok(await signIn.find(begun?.secret ?? ''))
  t.equal(await signIn.end(mine.id, session?.id ?? ''), true)
  t.equal(await signIn.find(begun?.secret ?? ''), undefined)
})

t.test("who leaves is erased: no table holds the name, and acts keep an id that is nobody's", async t => {
  const { id } = await people.add('canary-leaver', [])
  await signIn.withCode('canary-leaver', await signIn.issueCode(id))
  await signIn.issueCode(id)
  await people.leave(id)
  const stored = await textsIn()
  t.notOk(stored.includes('canary-leaver'))
  t.equal(await people.byId(id), undefined)
  t.match(await people.add('canary-leaver', []), { username: 'canary-leaver' }, 'the name is free again')
})

t.test('names that look like the service, or like nothing a reader can tell, are refused', async t => {
  for (const name of [
    'admin',
    'Adm1n',
    'ad-min',
    'supp0rt',
    'o-fficial',
    'rn0derator',
    'ab',
    'a'.repeat(31),
    '-abc',
    'abc-',
    'a--b',
    '1abc',
    'аdmin',
    'ada\r\nSet-Cookie: x',
    'a b c',
    '',
    '名前'
  ]) {
    t.match(
      await people.add(name, []).then(
        () => ({}),
        (error: unknown) => error as object
      ),
      { status: 400, details: { field: 'username' } },
      JSON.stringify(name)
    )
  }
  t.match(
    await people.add('mine', []).then(
      () => ({}),
      (error: unknown) => error as object
    ),
    { status: 400 },
    'a name that is taken'
  )
})
