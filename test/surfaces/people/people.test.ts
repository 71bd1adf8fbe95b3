import t from 'tap'
import { People } from '../../../surfaces/people/people.ts'
import { testDatabase } from '../../support/database.ts'

const { database } = await testDatabase(t)
const people = new People(database)
const admins = async (): Promise<string[]> =>
  (await people.all())
    .filter(({ roles, suspended_at: at }) => roles.includes('admin') && at === null)
    .map(({ id }) => id)

t.test('of two admins who act on each other at once, one stays an admin', async t => {
  const [{ id: one }, { id: two }] = [await people.add('ada', ['admin']), await people.add('grace', ['admin'])]
  const acts = {
    'takes the role': async (of: string, by: string) => {
      await people.setRole(of, 'admin', false, { actor: by })
    },
    suspends: async (of: string, by: string) => {
      await people.setSuspended(of, true, { actor: by })
    }
  }
  for (const [name, act] of Object.entries(acts)) {
    for (let round = 0; round < 10; round += 1) {
      const ended = await Promise.allSettled([act(one, two), act(two, one)])
      t.match(
        ended.filter(({ status }) => status === 'rejected'),
        [{ reason: { code: 'CONFLICT' } }],
        `${name}: one is refused`
      )
      t.equal((await admins()).length, 1, name)
      for (const id of [one, two]) {
        await people.setRole(id, 'admin', true)
        await people.setSuspended(id, false)
      }
    }
  }
  await people.setRole(one, 'admin', false, { actor: two })
  await t.rejects(
    people.setRole(two, 'admin', false, { actor: one }),
    { message: /No other admin/ },
    'also one after the other'
  )
  t.same(await admins(), [two])
  await people.setRole(two, 'admin', false)
  t.same(await admins(), [], 'a command at the machine may')
})
