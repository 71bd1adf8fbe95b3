import t, { type Test } from 'tap'
import {
  runSync,
  runInSlices,
  serialiseCalls,
  memoize,
  singleFlight,
  type SlicedWork
} from '../../../core/canonical/work.ts'

function* sumTo(most: number, pass: () => void = () => undefined): SlicedWork<number> {
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
  t.equal(runSync(sumTo(100)), 5050)
  t.equal(await runInSlices(sumTo(100)), 5050)
})

t.test('others have their turn between slices', async t => {
  const pass = ownClock(t)
  let turns = 0
  const stop = inEveryTurn(() => (turns += 1))
  // Each step takes a millisecond, so all take many slices.
  await runInSlices(
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
  await runInSlices(
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
  const work = (): SlicedWork<number> =>
    sumTo(300, () => {
      pass(1)
    })
  // Each would let the others have longer and longer slices: 100 ms at last.
  await Promise.all(Array.from({ length: 3 }, async () => await runInSlices(work())))
  stop()
  t.ok(turns >= 15, `${turns} turns of others beside 900 ms of work`)
})

t.test('a failure comes out either way', async t => {
  function* failing(): SlicedWork<number> {
    yield
    throw new Error('no harbour')
  }
  t.throws(() => runSync(failing()), /no harbour/)
  await t.rejects(runInSlices(failing()), /no harbour/)
})

t.test('what follows from an object is made once for it', async t => {
  let made = 0
  const of = memoize((from: Readonly<{ name: string }>) => ({ text: `${from.name} ${(made += 1)}` }))
  const [one, other] = [{ name: 'a' }, { name: 'a' }]
  t.equal(of(one), of(one))
  t.same([of(one).text, of(other).text, made], ['a 1', 'a 2', 2])
})

t.test('who asks while something is being made shares it, and a failure is not kept', async t => {
  let made = 0
  const get = singleFlight(async () => {
    made += 1
    await Promise.resolve()
    if (made === 2) throw new Error('the second fails')
    return made
  })
  t.same(await Promise.all([get(), get(), get()]), [1, 1, 1])
  t.same(
    (await Promise.allSettled([get(), get()])).map(({ status }) => status),
    ['rejected', 'rejected']
  )
  t.equal(await get(), 3)
})

t.test('work in turn begins when what was asked before has ended', async t => {
  const said: string[] = []
  const work = serialiseCalls(async (name: string, pause: number) => {
    said.push(`${name} begins`)
    await new Promise(resolve => setTimeout(resolve, pause))
    said.push(`${name} ends`)
    if (name === 'b') throw new Error('b fails')
    return name
  })
  const outcomes = await Promise.allSettled([work('a', 20), work('b', 5), work('c', 0)])
  t.same(said, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  t.match(outcomes, [{ value: 'a' }, { reason: { message: 'b fails' } }, { value: 'c' }])
})
