import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { project } from '../run/files.ts'
import { verdictOf } from '../run/faults.ts'
import { faults } from './faults.ts'

t.test('each fault is tried by tests that exist, or says why not', t => {
  for (const { id, trials, untried } of faults) {
    t.ok(trials.length > 0 || untried !== undefined, id)
    for (const { file, test } of trials)
      t.ok(readFileSync(join(project, file), 'utf8').includes(test ?? ''), `${id}: ${file} ${test ?? ''}`)
  }
  t.same(
    faults.map(({ id }) => id),
    Array.from({ length: 29 }, (_, index) => `F${index + 1}`)
  )
  t.end()
})

t.test('a fault has held when all of its tests ran and none failed', t => {
  const fault = { id: 'F0', done: '', holds: '', trials: [{ file: 'a', test: 'one' }, { file: 'b' }] }
  const passed = { pass: 1, fail: 0, todo: 0, skips: [], failures: [], ms: 1 }
  const failed = { ...passed, fail: 1, failures: [{ name: 'a > one > it', diagnostics: null }] }
  const verdict = (a: typeof failed | typeof passed, b: typeof passed | undefined) =>
    verdictOf(fault, [{ file: 'a', ...a }, ...(b === undefined ? [] : [{ file: 'b', ...b }])]).verdict
  t.equal(verdict(passed, passed), 'held')
  t.equal(verdict(failed, passed), 'NOT HELD')
  t.equal(
    verdict({ ...failed, failures: [{ name: 'a > other > it', diagnostics: null }] }, passed),
    'held',
    'another test of the file failed'
  )
  t.equal(
    verdict({ ...failed, failures: [{ name: 'The process ended', diagnostics: null }] }, passed),
    'NOT HELD',
    'the file did not come to its end'
  )
  t.equal(verdict(passed, undefined), 'not tried')
  t.same(
    verdictOf({ ...fault, trials: [{ file: 'a', test: 'one' }] }, [
      { file: 'a', ...passed, skips: ['a > one: needs root'] }
    ]),
    { verdict: 'not tried', why: 'needs root' }
  )
  t.end()
})
