import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn } from '../support/command-line.ts'
import { program } from '../support/program.ts'

t.test('a pipe closed early is no failure, and hides no findings', async t => {
  const root = libraryIn(t.testdir())
  const codeOf = async (...args: string[]): Promise<unknown> => {
    const child = spawn(process.execPath, [...program('bin/commands/pantry'), ...args, '--root', root], {
      stdio: ['ignore', 'pipe', 'pipe']
    })
    child.stdout.destroy()
    child.stderr.destroy()
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  }
  t.equal(await codeOf('list'), 0)
  writeFileSync(join(root, 'manifests', 'about.yaml'), 'kind: [')
  t.equal(await codeOf('validate'), 1)
})

t.test('few files are open at once: a limit of 128 is enough', async t => {
  const command = [process.execPath, ...program('bin/commands/pantry'), 'validate', '--root', libraryIn(t.testdir())]
  const child = spawn('/bin/sh', ['-c', 'ulimit -n 128 && exec "$@"', 'sh', ...command], { stdio: 'ignore' })
  t.same(await once(child, 'exit'), [0, null])
})
