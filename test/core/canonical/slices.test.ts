import t from 'tap'
import { atOnce, inSlices, type Sliced } from '../../../core/canonical/slices.ts'

function* sumTo(most: number, pause = 0): Sliced<number> {
  let sum = 0
  for (let one = 1; one <= most; one += 1) {
    sum += one
    for (const until = performance.now() + pause; performance.now() < until;);
    yield
  }
  return sum
}

t.test('work in slices gives what it gives in one piece', async t => {
  t.equal(atOnce(sumTo(100)), 5050)
  t.equal(await inSlices(sumTo(100)), 5050)
})

t.test('others have their turn between slices', async t => {
  let turns = 0
  const others = setInterval(() => (turns += 1), 0)
  // Each step takes a millisecond, so all take many slices.
  await inSlices(sumTo(100, 1))
  clearInterval(others)
  t.ok(turns >= 5, `${turns} turns`)
})

t.test('beside others that are always busy the work gets about half of the time', async t => {
  let [busyMs, workMs, isDone] = [0, 0, false]
  const busy = (): void => {
    if (isDone) return
    const began = performance.now()
    while (performance.now() < began + 20);
    busyMs += performance.now() - began
    setImmediate(busy)
  }
  function* measured(): Sliced<number> {
    const work = sumTo(400, 1)
    for (;;) {
      const began = performance.now()
      const step = work.next()
      workMs += performance.now() - began
      if (step.done === true) return step.value
      yield
    }
  }
  setImmediate(busy)
  await inSlices(measured())
  isDone = true
  t.ok(busyMs < 1.7 * workMs, `${busyMs} ms of others beside ${workMs} ms of work`)
})

t.test('several works do not take each other for those who wait', async t => {
  let turns = 0
  const counted = setInterval(() => (turns += 1), 0)
  // Each would let the others have longer and longer slices: 100 ms at last.
  await Promise.all(Array.from({ length: 3 }, async () => await inSlices(sumTo(300, 1))))
  clearInterval(counted)
  t.ok(turns >= 15, `${turns} turns of others beside 900 ms of work`)
})

t.test('a failure comes out either way', async t => {
  function* failing(): Sliced<number> {
    yield
    throw new Error('no harbour')
  }
  t.throws(() => atOnce(failing()), /no harbour/)
  await t.rejects(inSlices(failing()), /no harbour/)
})
