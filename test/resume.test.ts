import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Passed, stateOf } from './run/passed.ts'

const passed = { fail: 0, skips: [] }

t.test('what passed is known to the next run of the same state, and to no other', t => {
  const store = join(t.testdir(), 'below', 'passed.json')
  const first = new Passed(store, 'one')
  first.note({ file: 'a', ...passed })
  first.note({ file: 'b', ...passed })
  first.note({ file: 'c', fail: 1, skips: [] })
  first.note({ file: 'd', fail: 0, skips: ['needs root'] })
  const known = (state: string): string[] => ['a', 'b', 'c', 'd'].filter(file => new Passed(store, state).has(file))
  t.same(known('one'), ['a', 'b'], 'neither what failed nor what was skipped')
  t.same(known('two'), [])
  new Passed(store, 'one').note({ file: 'a', fail: 1, skips: [] })
  t.same(known('one'), ['b'], 'a later failure counts')
  writeFileSync(store, '{')
  t.same(known('one'), [], 'a store that was cut off knows nothing')
  t.end()
})

t.test('any change of a file is another state: tracked, new, removed; what git ignores is none', t => {
  const folder = t.testdir({ 'a.txt': 'a', '.gitignore': 'ignored' })
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  execFileSync('git', ['add', '.'], { cwd: folder })
  const seen = [stateOf(folder)]
  const isNew = (what: string): void => {
    const state = stateOf(folder)
    t.notOk(seen.includes(state), what)
    seen.push(state)
  }
  writeFileSync(join(folder, 'ignored'), 'b')
  t.equal(stateOf(folder), seen[0])
  writeFileSync(join(folder, 'a.txt'), 'b')
  isNew('an edit')
  writeFileSync(join(folder, 'new.txt'), '')
  isNew('a new file')
  rmSync(join(folder, 'a.txt'))
  isNew('a removed one')
  t.end()
})
