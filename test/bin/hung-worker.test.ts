// test: long. A worker that hangs is found after ten seconds.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { startService, workersOf } from '../support/service.ts'

t.test('a worker that hangs is killed and replaced, and a reload does not wait for it without end', async t => {
  const root = libraryIn(t.testdir())
  const service = await startService(t, {
    args: ['--root', root, '--workers', '2'],
    env: { LOG_LEVEL: 'error' },
    hasOwnGroup: true
  })
  const [hung = 0, other = 0] = workersOf(service)
  process.kill(hung, 'SIGSTOP')
  const file = join(root, 'manifests/books.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^summary: .*$/m, 'summary: Served by both.'))
  service.child.kill('SIGHUP')
  await eventually(() => {
    assert.match(service.stderr(), /"reloaded .*books\.yaml/)
  }, 60)
  await eventually(() => {
    const now = workersOf(service)
    assert.ok(now.length === 2 && now.includes(other) && !now.includes(hung))
  }, 60)
  t.match(service.stderr(), /A worker ended unexpectedly/)
})
