import t from 'tap'
import { Dice } from '../../surfaces/common/dice.ts'

const throwMany = (seed: string, times: number): number[] => {
  const dice = new Dice(seed)
  return Array.from({ length: times }, () => dice.next())
}

t.test('the same seed throws the same numbers, another seed others', async t => {
  t.same(throwMany('a', 50), throwMany('a', 50))
  t.notSame(throwMany('a', 50), throwMany('b', 50))
})

t.test('numbers are spread over the range and stay in it', async t => {
  const thrown = throwMany('range', 4000)
  t.ok(thrown.every(value => value >= 0 && value < 1))
  t.ok(Math.abs(thrown.reduce((sum, value) => sum + value, 0) / thrown.length - 0.5) < 0.03)
  const dice = new Dice('whole')
  t.same([...new Set(Array.from({ length: 200 }, () => dice.whole(2, 5)))].sort(), [2, 3, 4, 5])
})
