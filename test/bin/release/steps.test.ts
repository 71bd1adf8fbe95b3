import t from 'tap'
import { doSteps, done, exitCodeOf, failed, isReady, notRun, unless } from '../../../bin/release/steps.ts'

const steps = [
  { step: 'clean tree', work: () => unless('refused', 'There are uncommitted changes.', 'clean') },
  {
    step: 'tarball',
    work: () => {
      throw new Error('The disk is full.')
    }
  },
  { step: 'image', work: () => notRun('no Docker engine answers here') },
  { step: 'tag', work: () => done('v1.0.0') }
]

t.test('a release ends with the first step that is refused, and makes no tag', async t => {
  const begun: string[] = []
  const ended = await doSteps(steps, false, step => {
    begun.push(step)
  })
  t.strictSame(begun, ['clean tree'])
  t.strictSame(
    ended.map(({ step, ending }) => [step, ending]),
    [
      ['clean tree', 'refused'],
      ['tarball', 'not run'],
      ['image', 'not run'],
      ['tag', 'not run']
    ]
  )
  t.match(ended[3], { detail: 'because of the step "clean tree"' })
  t.notOk(isReady(ended))
  t.equal(exitCodeOf(ended, false), 1)
})

t.test('a dry run does every step, and says of each what is in the way', async t => {
  const ended = await doSteps(steps, true)
  t.strictSame(ended, [
    { step: 'clean tree', ending: 'refused', detail: 'There are uncommitted changes.' },
    { step: 'tarball', ending: 'failed', detail: 'The disk is full.' },
    { step: 'image', ending: 'not run', detail: 'no Docker engine answers here' },
    { step: 'tag', ending: 'done', detail: 'v1.0.0' }
  ])
  t.equal(exitCodeOf(ended, true), 1, 'what fails is wrong also in a dry run')
})

t.test('a dry run of a checkout that is not one to release ends with 0, and says that it is not ready', async t => {
  const ended = await doSteps(
    steps.filter(({ step }) => step !== 'tarball'),
    true
  )
  t.notOk(isReady(ended))
  t.equal(exitCodeOf(ended, true), 0)
})

t.test('what runs only elsewhere is not in the way of a release', async t => {
  const ended = await doSteps(
    [{ step: 'changelog', work: () => unless('failed', undefined, 'says 1.0.0') }, ...steps.slice(2)],
    false
  )
  t.ok(isReady(ended))
  t.equal(exitCodeOf(ended, false), 0)
  t.notOk(isReady([failed('no')]))
})
