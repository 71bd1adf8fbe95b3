import t from 'tap'
import { openAccounts } from '../../../surfaces/people/open.ts'
import { deleteExpired } from '../../../surfaces/people/personal-data.ts'
import { seedAccounts, whyNotSeeded } from '../../../surfaces/people/seed.ts'
import { testDatabase } from '../../support/database.ts'

const { database } = await testDatabase(t)
const own = { host: '/tmp', port: 1, database: 'x', user: 'x' }
const now = new Date()

t.test('a named server and a database with people are not filled', async t => {
  t.match(await whyNotSeeded(database), /DATABASE_URL/)
  t.equal(await whyNotSeeded({ knex: database.knex, target: own }), undefined)
})

t.test('every caller can be tried on this machine, and on no other', async t => {
  const seeded = await seedAccounts(database)
  t.match(await whyNotSeeded({ knex: database.knex, target: own }), /holds people/)
  const {
    services: { callers, people }
  } = openAccounts(database, 'http://localhost:8080')
  const sessionOf = (cookie: string): { session: string } => ({ session: cookie.split('=')[1] ?? '' })
  t.match(await callers.find(sessionOf(seeded.session_cookie), now), { credential: 'session', grants: [] })
  t.match(await callers.find(sessionOf(seeded.admin_cookie), now), { grants: ['admin'] })
  t.match(await callers.find({ key: seeded.agent_key }, now), { credential: 'bearer', grants: ['read'] })
  t.match(await callers.find({ key: seeded.wholesale_key }, now), { credential: 'wholesaleKey' })
  t.equal(new Set(seeded.operator_agent_keys).size, 3)
  for (const key of seeded.operator_agent_keys) t.match(await callers.find({ key }, now), { grants: ['read', 'hunt'] })
  t.not((await people.byName(seeded.suspended_username))?.suspended_at, null)
  const elsewhere = openAccounts(database, 'https://cards.example').services.callers
  await t.rejects(elsewhere.find({ key: seeded.agent_key }, now), /filled for trying out/)
  await database.knex('account_acts').update({ at: database.knex.raw("now() - interval '2 years'") })
  await deleteExpired(database)
  t.same(await database.knex('account_acts').pluck('act'), ['dev-seed'], 'other acts end')
  const later = openAccounts(database, 'https://cards.example').services.callers
  await t.rejects(
    later.find({ key: seeded.agent_key }, now),
    /filled for trying out/,
    'but what was printed stays known'
  )
})
