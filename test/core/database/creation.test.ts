import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { pantry } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'

/** A database of its own, and the environment of a role that may connect to it and create nothing. */
async function strangerIn(t: Test) {
  const { database, url } = await testDatabase(t, 'empty')
  const role = `stranger_${randomBytes(4).toString('hex')}`
  await database.bulk.raw(`create role ${role} login`)
  await database.bulk.raw('revoke create on schema public from public')
  t.teardown(async () => {
    await database.bulk.raw(`drop owned by ${role} cascade`)
    await database.bulk.raw(`drop role ${role}`)
  })
  const env = { DATABASE_URL: url.replace(/\/\/[^@]*@/, `//${role}@`), PORT: '0' }
  return { role, env, run: (sql: string) => database.bulk.raw(sql) }
}

t.test('a role that may not create tables is told the GRANT to run, which helps', async t => {
  const { role, env, run } = await strangerIn(t)
  const message = `The role ${role} may not create tables in the schema public.`
  const grant = `GRANT USAGE, CREATE ON SCHEMA public TO ${role};`
  t.match(await pantry(['migrate'], env), {
    code: 3,
    stdout: '',
    stderr: `error[O106]: ${message}\nRun as its owner: \`${grant}\`\n`
  })
  const { code, stdout, stderr } = await pantry(['serve'], env)
  t.match([code, stdout, JSON.parse(stderr)], [3, '', { code: 'O106', msg: message, fix: `\`${grant}\`` }])
  t.match(await pantry(['doctor'], env), {
    code: 3,
    stdout: new RegExp(`migrations +failed +Not yet run: .*${message}[^]*\nmigrations: Run as its owner: \`${grant}\``)
  })
  await run(grant)
  t.match(await pantry(['migrate'], env), { code: 0 })
})

t.test('a role that lost the right is told by the migration that needs it', async t => {
  const { role, env, run } = await strangerIn(t)
  await run(`grant create on schema public to ${role}`)
  t.match(await pantry(['migrate'], env), { code: 0 })
  // A migration that makes tables; those after it are undone before.
  for (let undone = ''; !undone.includes('0039_search');) {
    const down = await pantry(['migrate', 'down'], env)
    t.match(down, { code: 0, stdout: /\d{4}_\w+/ })
    undone = down.stdout
  }
  await run(`revoke create on schema public from ${role}`)
  t.match(await pantry(['migrate'], env), {
    code: 3,
    stderr:
      /error\[O106\]: .*\.[jt]s: the migration `\d{4}_\w+` failed with SQLSTATE 42501: .*\nRun as its owner: `GRANT /
  })
})

t.test('a search path without a schema is named', async t => {
  const { role, env, run } = await strangerIn(t)
  await run(`alter role ${role} set search_path = nowhere`)
  const message = `There is no schema to create tables in: the role ${role} can use none of its \`search_path\`.`
  t.match(await pantry(['migrate'], env), { code: 3, stderr: `error[O106]: ${message}\nRun \`ALTER ROLE ${role} SET ` })
  t.match(await pantry(['doctor'], env), { code: 3, stdout: message })
})
