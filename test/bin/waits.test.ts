import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { run } from '../../bin/commands/run.ts'
import { capture, libraryIn } from '../support/command-line.ts'

t.test('services that do not open are named, and after two minutes they are a fault', async t => {
  const root = libraryIn(t.testdir())
  const file = join(root, 'surfaces', 'services.js')
  mkdirSync(join(root, 'surfaces'))
  writeFileSync(
    file,
    "export default () => { process.emit('opening of services', ''); return new Promise(() => {}) }\n"
  )
  const opening = new Promise(resolve => {
    process.once('opening of services' as 'SIGUSR2', resolve)
  })
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  t.teardown(() => {
    mock.timers.reset()
  })
  const { io, stderr } = capture()
  const ended = run(['serve', '--root', root, '--port', '0'], io)
  await opening
  mock.timers.tick(119_999)
  await turn()
  const late = (seconds: number): string => `${file} is not done after ${seconds} s.`
  const said = (): unknown[] =>
    stderr()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as unknown)
  t.match(
    said(),
    [10, 20, 40, 80].map(seconds => ({ level: 'warn', msg: late(seconds) }))
  )
  mock.timers.tick(1)
  t.equal(await ended, 3)
  t.match(said().at(-1), { level: 'fatal', code: 'O901', msg: late(120), fix: /^Look for a promise/ })
})
