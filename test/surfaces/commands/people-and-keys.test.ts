import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Keys } from '../../../surfaces/people/keys.ts'
import { People } from '../../../surfaces/people/people.ts'
import { SignIn } from '../../../surfaces/people/sign-in.ts'
import { MailAddresses } from '../../../surfaces/people/mail.ts'
import { pantry, type Outcome } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'

const { database, url } = await testDatabase(t)
const folder = scratchFolder(t)
const run = async (...args: readonly string[]): Promise<Outcome> =>
  await pantry(args, { DATABASE_URL: url, PANTRY_DATA_DIR: folder })
const [people, signIn, keys] = [new People(database), new SignIn(database), new Keys(database)]
const acts = async (): Promise<string[]> =>
  (await database.knex('account_acts').select<{ act: string }[]>('act').orderBy('id')).map(({ act }) => act)

t.test('a person is added with a role and a code on stdout alone, and everything is written down', async t => {
  const added = await run('people', 'add', 'Ada', '--role', 'admin')
  t.match(added, { code: 0, stdout: /^[0-9A-Z]{5}-[0-9A-Z]{5}\n$/, stderr: /account\/sign-in as ada/ })
  t.match(await people.byName('ada'), { roles: ['admin'] })
  const session = (await signIn.withCode('ada', added.stdout.trim()))?.secret ?? ''
  t.match(await signIn.find(session), { roles: ['admin'] })
  t.match(await run('people', 'add', 'ada'), { code: 1, stderr: /taken/ })
  t.match(await run('people', 'add', 'adm1n'), { code: 1, stderr: /reserved/ })
  t.match(await run('people', 'code', 'nobody'), { code: 1, stderr: /nobody called/ })
  t.match(await run('people', 'code'), { code: 2, stderr: /needs a username/ })
  t.match(JSON.parse((await run('people', 'code', 'ada', '--format', 'json')).stdout), {
    username: 'ada',
    minutes: 15,
    attempts: 5,
    code: String
  })
  t.match(await run('people', 'role', 'ada', '--role', 'admin', '--remove'), { code: 0, stderr: /no longer/ })
  t.match(await signIn.find(session), { roles: [] }, 'in the session that lives')
  t.match(await run('people', 'role', 'ada'), { code: 2, stderr: /admin/ })
  t.match(await run('people', 'suspend', 'ada'), { code: 0 })
  t.equal(await signIn.find(session), undefined)
  t.match(
    await run('people', 'code', 'ada'),
    { code: 1, stdout: '', stderr: /suspended/ },
    'a code that would not work is not given'
  )
  t.match(await run('people', 'list'), { code: 0, stdout: /^USERNAME +ROLES +SINCE.*\nada +\S+ +suspended/ })
  t.match(await run('people', 'suspend', 'ada', '--end'), { code: 0 })
  t.match(await people.byName('ada'), { suspended_at: null })
  const invited = await run('people', 'invite')
  t.ok(await new MailAddresses(database).isInvited(invited.stdout.trim()))
  t.same(await acts(), [
    'people.add',
    'people.code',
    'people.code',
    'people.role.take',
    'people.suspend',
    'people.resume',
    'people.invite'
  ])
})

t.test(
  'a key is shown once, changed and revoked by its id, and never by itself; a name cannot steer the terminal',
  async t => {
    const made = await run(
      'keys',
      'create',
      '--name',
      'x\u001b[2J\r\nadmin',
      '--contact',
      'a@example.org',
      '--person',
      'ada',
      '--tier',
      'standard',
      '--days',
      '3'
    )
    t.match(made, { code: 0, stdout: /^pantry_agt_[\w-]{49}\n$/ })
    const key = made.stdout.trim()
    t.notOk(made.stderr.includes(key))
    const id = (await keys.find(key))?.id ?? ''
    const listed = await run('keys', 'list')
    t.match(listed.stdout, id)
    t.notMatch(listed.stdout, /\u001b|\r/)
    t.equal(listed.stdout.trimEnd().split('\n').length, 2)
    t.notOk(listed.stdout.includes(key.slice(0, 19)))
    t.match(await run('keys', 'tier', id, '--tier', 'partner'), { code: 0 })
    t.match(await run('keys', 'scopes', id, '--scope', 'read', 'hunt'), { code: 0 })
    t.match(await keys.find(key), { tier: 'partner', scopes: ['read', 'hunt'] })
    const byItself = await run('keys', 'revoke', key)
    t.match(byItself, { code: 2, stderr: /by its id/ })
    t.notOk(byItself.stderr.includes(key.slice(0, 19)), 'and it is not said again')
    t.match(await run('keys', 'revoke', id), { code: 0 })
    t.equal(await keys.find(key), undefined)
    t.match(await run('keys', 'revoke', id), { code: 1, stderr: /no key/ })
    t.match(readFileSync(join(folder, 'journal', 'endings.ndjson'), 'utf8'), id)
    t.match(await run('keys', 'create', '--name', 'x'), { code: 2, stderr: /--contact/ })
    t.match(await run('keys', 'create', '--name', 'x', '--contact', 'y', '--person', 'nobody'), { code: 1 })
    t.match(
      (await run('keys', 'create', '--kind', 'wholesale', '--name', 'x', '--contact', 'y')).stdout,
      /^pantry_whl_/
    )
    t.same((await acts()).slice(-5), ['keys.create', 'keys.tier', 'keys.scopes', 'keys.revoke', 'keys.create'])
  }
)
