// test: slow.
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'

const files = {
  'surfaces/webhooks.js': `export default {
  'loan.late': { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] }
}
`,
  'surfaces/services.js': `export default ({ database, webhooks }) => ({ services: { database, webhooks } })
`,
  'surfaces/jobs/remind.js': `export default {
  every: '24 hours',
  deadline: 10,
  run: async ({ database, webhooks }) => {
    const { knex } = await database()
    await knex.transaction(async transaction => { await webhooks.tell(transaction, 'loan.late', { days: 3 }) })
  }
}
`
}

t.test('a service sends what it told to whom the operator has added', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const root = libraryIn(t.testdir())
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const dataDir = scratchFolder(t)
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent', PANTRY_DATA_DIR: dataDir }
  const webhook = (...args: string[]) => pantry(['webhook', ...args, '--root', root], env)

  // It speaks no TLS: that the attempt arrives, and is told as failed, is what is asked here.
  const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
  })
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/in`
  for (const wrong of ['http://hooks.example.org/', 'https://me@hooks.example.org/', 'hooks'])
    t.match(
      await webhook('add', wrong),
      { code: 2, stderr: /https:\/\/ and without a user name.*http:\/\/ is refused/ },
      wrong
    )
  t.match(await webhook('add', address, '--type', 'loan.lost'), { code: 2, stderr: /There are: loan\.late\./ })
  const added = await webhook('add', address, '--type', 'loan.late')
  const [id = '', secret = ''] = added.stdout.split('\n')
  t.match(added, { code: 0, stdout: /^hook_[\w-]{24}\nwhsec_\S+\n$/ })

  t.match(await pantry(['job', 'remind', '--root', root], env), { code: 0 })
  const reached = once(server, 'connection')
  await startService(t, { args: ['--root', root], env: { ...env, PANTRY_OUTGOING_NETWORKS: '127.0.0.0/8' } })
  await reached
  await eventually(async () => {
    const [row] = await database.knex<{ last_problem: string | null }>('pantry_webhook_deliveries')
    if (row?.last_problem?.startsWith('failed ') !== true) throw new Error(JSON.stringify(row))
  })
  const listed = await webhook('list')
  t.match(
    listed.stdout,
    new RegExp(`^${id} +${address} +loan\\.late +enabled +1 +0 +The connection to it failed \\(\\w+\\)\\.$`, 'm')
  )
  t.notOk(listed.stdout.includes(secret))
  const json = JSON.parse((await webhook('list', '--format', 'json')).stdout) as unknown
  t.match(json, [{ problem: { code: 'connection' } }])
  t.match(await webhook('dead'), { code: 0, stdout: /^MESSAGE/ })
  t.match(await webhook('retry', id), { code: 0, stdout: `${id}: is sent what it has not got\n` })
  const rotated = await webhook('rotate', id, '--hours', '48')
  t.match(rotated, { code: 0, stdout: /^whsec_\S+\n$/, stderr: /with the former one as well for 48 hours/ })
  t.not(rotated.stdout, `${secret}\n`)
  t.match(await webhook('rotate', id, '--hours', '721'), { code: 2, stderr: /from 0 to 720/ })
  t.match(await webhook('rotate', 'hook_none'), { code: 1, stderr: /There is no endpoint/ })
  t.match(await webhook('remove', id), { code: 0, stdout: `${id}: removed\n` })
  t.match(await webhook('remove', id), { code: 1, stderr: /There is no endpoint/ })
  t.match(await webhook('remove'), { code: 2, stderr: /Give the id of an endpoint/ })
})

t.test('wrong types of webhooks are found by `pantry validate`', async t => {
  const root = libraryIn(join(t.testdir(), 'wrong'))
  mkdirSync(join(root, 'surfaces'), { recursive: true })
  writeFileSync(join(root, 'surfaces/webhooks.js'), "export default { 'Loan Late': { type: 'object' } }\n")
  t.match(await pantry(['validate', '--root', root]), {
    code: 1,
    stdout: /surfaces\/webhooks\.js:1:1: error\[H113\]: `Loan Late` is no type of a message/
  })
  const broken = libraryIn(join(t.testdirName, 'broken'))
  mkdirSync(join(broken, 'surfaces'), { recursive: true })
  writeFileSync(join(broken, 'surfaces/webhooks.js'), "throw new Error('half written')\n")
  t.match(await pantry(['validate', '--root', broken]), {
    code: 1,
    stdout: /surfaces\/webhooks\.js:1:1: error\[H106\]: The file cannot be imported: half written/
  })
})

t.test('without declared webhooks there is nothing to add to', async t => {
  t.match(await pantry(['webhook', 'list', '--root', libraryIn(t.testdir())]), {
    code: 2,
    stderr: /No root declares webhooks/
  })
})
