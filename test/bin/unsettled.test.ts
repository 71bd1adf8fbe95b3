// test: long
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { libraryIn } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { program } from '../support/program.ts'
import { scratchFolder } from '../support/scratch.ts'

/** Runs a command over a root with one file in a process of its own. */
async function runWith(
  t: Test,
  file: string,
  code: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv
): Promise<Readonly<{ code: number | null; stdout: string; stderr: string }>> {
  const root = libraryIn(scratchFolder(t))
  mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), code)
  const child = spawn(process.execPath, [...program('bin/commands/pantry'), ...args, '--root', root], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const [stdout, stderr, exit] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code: exit, stdout, stderr }
}

const down = 'export async function down () {}\n'
const step = (body: string, before = ''): string =>
  `${before}\nexport async function up (knex) { await knex.raw('select 1'); ${body} }\n${down}`

const never = 'await new Promise(() => {})'
const alone = 'export const config = { transaction: false }'

t.test('a migration that takes long is not cut, but named', async t => {
  const sleep = "await knex.raw('select pg_sleep(12)')"
  const program = "await new Promise(resolve => spawn('sleep', ['12']).once('exit', resolve))"
  await Promise.all(
    [
      step(sleep),
      step(sleep, alone),
      step('await new Promise(resolve => setTimeout(resolve, 12_000))'),
      step(program, "import { spawn } from 'node:child_process'")
    ].map(async code => {
      const { url } = await testDatabase(t, 'empty')
      t.match(
        await runWith(t, 'migrations/0001_bees.js', code, ['migrate'], { DATABASE_URL: url }),
        { code: 0, stdout: /0001_bees +applied/, stderr: /0001_bees\.js is not done after 10 s\.\n/ },
        code
      )
    })
  )
})

t.test('a file that is never imported is named', async t => {
  const code = `${never}\nexport default {}\n`
  for (const file of ['surfaces/handlers/books.js', 'surfaces/jobs/sweep.js', 'migrations/0001_bees.js'])
    t.match(await runWith(t, file, code, ['validate'], {}), {
      code: 3,
      stderr: new RegExp(`error\\[O901\\]: \\S+${file} waits for what never comes`)
    })
})

t.test('what is left open ends with a command that failed', async t => {
  const open = "import { createServer } from 'node:net'\ncreateServer().listen(0)\nthrow new Error('no such harbour')\n"
  for (const args of [['validate'], ['serve']])
    t.match(await runWith(t, 'surfaces/handlers/books.js', open, args, { PORT: '0' }), {
      code: 1,
      stderr: args[0] === 'serve' ? /no such harbour/ : /1 error/
    })
})
