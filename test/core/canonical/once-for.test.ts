import t from 'tap'
import { inTurn, onceFor, sharedWhileMade } from '../../../core/canonical/once-for.ts'

t.test('what follows from an object is made once for it', async t => {
  let made = 0
  const of = onceFor((from: Readonly<{ name: string }>) => ({ text: `${from.name} ${(made += 1)}` }))
  const [one, other] = [{ name: 'a' }, { name: 'a' }]
  t.equal(of(one), of(one))
  t.same([of(one).text, of(other).text, made], ['a 1', 'a 2', 2])
})

t.test('who asks while something is being made shares it, and a failure is not kept', async t => {
  let made = 0
  const get = sharedWhileMade(async () => {
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
  const work = inTurn(async (name: string, pause: number) => {
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
