import t, { type Test } from 'tap'
import { atOnce, inSlices, type Sliced } from '../../../core/canonical/slices.ts'

function* sumTo(most: number, pass: () => void = () => undefined): Sliced<number> {
  let sum = 0
  for (let one = 1; one <= most; one += 1) {
    sum += one
    pass()
    yield
  }
  return sum
}

/** A clock that only what is measured moves, so that a busy machine changes nothing. */
function ownClock(t: Test): (ms: number) => void {
  let now = performance.now()
  t.intercept(performance, 'now', { value: () => now })
  return ms => {
    now += ms
  }
}

/** Does something in every turn of the event loop, until it is told to stop. */
function inEveryTurn(work: () => void): () => void {
  let isOver = false
  const turn = (): void => {
    if (isOver) return
    work()
    setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    isOver = true
  }
}

t.test('work in slices gives what it gives in one piece', async t => {
  t.equal(atOnce(sumTo(100)), 5050)
  t.equal(await inSlices(sumTo(100)), 5050)
})

t.test('others have their turn between slices', async t => {
  const pass = ownClock(t)
  let turns = 0
  const stop = inEveryTurn(() => (turns += 1))
  // Each step takes a millisecond, so all take many slices.
  await inSlices(
    sumTo(100, () => {
      pass(1)
    })
  )
  stop()
  t.ok(turns >= 5, `${turns} turns`)
})

t.test('beside others that are always busy the work gets about half of the time', async t => {
  const pass = ownClock(t)
  let [busyMs, workMs] = [0, 0]
  const stop = inEveryTurn(() => {
    pass(20)
    busyMs += 20
  })
  await inSlices(
    sumTo(400, () => {
      pass(1)
      workMs += 1
    })
  )
  stop()
  t.ok(busyMs < 1.7 * workMs, `${busyMs} ms of others beside ${workMs} ms of work`)
})

t.test('several works do not take each other for those who wait', async t => {
  const pass = ownClock(t)
  let turns = 0
  const stop = inEveryTurn(() => (turns += 1))
  const work = (): Sliced<number> =>
    sumTo(300, () => {
      pass(1)
    })
  // Each would let the others have longer and longer slices: 100 ms at last.
  await Promise.all(Array.from({ length: 3 }, async () => await inSlices(work())))
  stop()
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
