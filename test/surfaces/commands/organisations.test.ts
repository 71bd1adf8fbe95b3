import t from 'tap'
import { Organisations } from '../../../surfaces/people/organisations.ts'
import { People } from '../../../surfaces/people/people.ts'
import { pantry, type Outcome } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { scratchFolder } from '../../support/scratch.ts'

const { database, url } = await testDatabase(t)
const folder = scratchFolder(t)
const run = async (...args: readonly string[]): Promise<Outcome> =>
  await pantry(['organisations', ...args], { DATABASE_URL: url, PANTRY_DATA_DIR: folder })
const [people, organisations] = [new People(database), new Organisations(database)]

t.test('an entry is approved as it was listed, and not once it says something else', async t => {
  const { id } = await people.add('keeper', [])
  const write = async (website: string): Promise<void> => {
    await organisations.put(id, {
      slug: 'night-owls',
      display_name: 'Night Owls',
      kind: 'club',
      region: 'NL',
      languages: [],
      games: [],
      description: 'We play.',
      website_url: website,
      public_contact_url: null,
      accessibility_notes: null
    })
  }
  await write('https://owls.example/first')
  const [listed] = JSON.parse((await run('list', '--format', 'json')).stdout) as { version: string }[]
  t.match(listed, { slug: 'night-owls', website_url: 'https://owls.example/first', approved_at: null })
  const version = listed?.version ?? ''
  t.match(await run('approve', 'night-owls'), { code: 2, stderr: /version/ })
  await write('https://owls.example/second')
  t.match(await run('approve', 'night-owls', version), { code: 1, stderr: /read it again/ })
  t.match(await organisations.of(id), { approved_at: null })
  await write('https://owls.example/first')
  t.match(await run('approve', 'night-owls', version), { code: 0, stderr: /is shown/ })
  t.match(await organisations.of(id), { approved_at: String })
  t.match(await run('approve', 'nobody', version), { code: 1, stderr: /no entry/ })
})

t.test('a refusal is a finding, and a database that goes away is none', async t => {
  const { bulk } = database
  const lock = await bulk.transaction()
  await lock.raw('lock table organisations in access exclusive mode')
  const asked = run('approve', 'nobody', 'x')
  await eventually(async () => {
    const { rows } = await bulk.raw<{ rows: { ended: boolean }[] }>(
      "select pg_terminate_backend(pid) as ended from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    )
    if (rows.length === 0) throw new Error('The command does not wait yet.')
  }, 60)
  t.match(await asked, { code: 3, stderr: /database/ })
  await lock.rollback()
})
