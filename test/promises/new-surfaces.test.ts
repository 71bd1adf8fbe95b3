// test: long, alone. It runs the promise tests again, in a copy of the project.
import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { kindNames } from '../../core/kinds/list.ts'
import { inTurns } from '../support/effort.ts'
import { scratchFolder } from '../support/scratch.ts'

const notCopied = new Set(['node_modules', '.git', '.tap', '.test', '.pantry', 'dist'])
const promises = [
  'envelope',
  'formats',
  'errors',
  'every-surface-is-discoverable',
  'promised-paths',
  'openapi-valid',
  'documents-agree',
  'pointers-resolve',
  'examples-hold'
].map(name => `test/promises/${name}.test.ts`)

t.test(
  'a surface of every kind is added without a change to a test or a document, and every promise holds for it',
  async t => {
    const copy = scratchFolder(t)
    cpSync(packageFolder, copy, { recursive: true, filter: path => !notCopied.has(basename(path)) })
    symlinkSync(join(packageFolder, 'node_modules'), join(copy, 'node_modules'))
    const run = (...args: string[]): void => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, ...args], {
        cwd: copy,
        encoding: 'utf8',
        maxBuffer: 2 ** 28
      })
      t.equal(status, 0, args.slice(0, 4).join(' '), { said: (stdout + stderr).slice(-4000) })
    }
    run('test/run/compile.mjs')
    for (const kind of kindNames) run('.test/bin/commands/pantry.js', 'new', kind, `fresh/${kind}`)
    run('test/run/compile.mjs')
    run('.test/bin/commands/pantry.js', 'test', '--record')
    run('.test/bin/commands/pantry.js', 'validate')
    run('.test/test/run/main.js', ...inTurns(promises, 5), 'test/docs.test.ts', 'test/architecture.test.ts')
  }
)
