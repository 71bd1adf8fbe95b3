import { writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { runJobs, type Finished } from './run/pool.ts'

const compiled = resolve(import.meta.dirname, '..')
const code = (body: string): string =>
  `import t from '${pathToFileURL(join(compiled, 'test/run/tap.js')).href}'\n${body}`

t.test(
  'an error that nobody catches fails the test that runs, and neither the test before it nor the file after it',
  async t => {
    const folder = t.testdir()
    const files = {
      'thrown.js': `t.test('whole', async t => { t.pass() })
      t.test('outer', async t => { await t.test('inner', t => { setTimeout(() => { throw new Error('thrown later') }) }) })`,
      'rejected.js': `t.test('alone', async t => { Promise.reject(new Error('rejected')); await new Promise(done => { setTimeout(done, 50) }) })
      t.test('next', async t => { t.pass() })`,
      'nothing.js': "t.test('odd', t => { setTimeout(() => { throw undefined }) })",
      'whole.js': "t.test('whole', async t => { t.pass() })"
    }
    for (const [name, body] of Object.entries(files)) writeFileSync(join(folder, name), code(body))
    const all: Finished[] = []
    await runJobs(
      Object.keys(files).map(name => ({ file: relative(compiled, join(folder, name)), alone: false })),
      1,
      process.env,
      outcome => {
        all.push(outcome)
      }
    )
    t.same(
      all.map(({ file, failures }) => [file.split('/').at(-1), failures.map(({ name }) => name.split('.js > ')[1])]),
      [
        ['thrown.js', ['outer > inner > thrown later']],
        ['rejected.js', ['alone > rejected']],
        ['nothing.js', ['odd > unhandled error']],
        ['whole.js', []]
      ]
    )
    t.match(all[0]?.failures[0]?.diagnostics, { tapCaught: 'uncaughtException' })
    t.match(all[1]?.failures[0]?.diagnostics, { tapCaught: 'unhandledRejection' })
  }
)
