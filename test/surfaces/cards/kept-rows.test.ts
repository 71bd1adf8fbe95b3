import t from 'tap'
import { RowCache } from '../../../surfaces/cards/kept.ts'

/** Rows of a store that has one for each key but those that end in `?`. */
function rows() {
  const state = { version: '1', asked: [] as string[][], during: (): void => {} }
  const kept = new RowCache(
    { version: () => Promise.resolve(state.version), atVersion: (known, work) => work(known) },
    async keys => {
      state.asked.push([...keys])
      const read = keys.map(key => (key.endsWith('?') ? undefined : `${key} of ${state.version}`))
      state.during()
      return await Promise.resolve(read)
    }
  )
  return { kept, state }
}

t.test('rows are in the order of the keys; only those that are not kept are read', async t => {
  const { kept, state } = rows()
  t.same(await kept.of(['b', 'a', 'x?', 'a']), ['b of 1', 'a of 1', undefined, 'a of 1'])
  t.same(await kept.of(['a', 'c', 'x?', 'b']), ['a of 1', 'c of 1', undefined, 'b of 1'])
  t.same(state.asked, [
    ['b', 'a', 'x?', 'a'],
    ['c', 'x?']
  ])
  t.same(await kept.of(['a', 'b']), ['a of 1', 'b of 1'])
  t.same(await kept.of([]), [])
  t.equal(state.asked.length, 2)
})

t.test('of another version nothing is kept', async t => {
  const { kept, state } = rows()
  await kept.of(['a'])
  state.version = '2'
  t.same(await kept.of(['a', 'b']), ['a of 2', 'b of 2'])
  t.same(await kept.of(['a', 'b']), ['a of 2', 'b of 2'])
  t.equal(state.asked.length, 2)
})

t.test('rows that were read while the version became another one are not kept for it', async t => {
  const { kept, state } = rows()
  let other: Promise<unknown> = Promise.resolve()
  state.during = () => {
    state.during = () => {}
    state.version = '2'
    other = kept.of(['b'])
  }
  t.same(await kept.of(['a']), ['a of 1'], 'they are what the store held when it was asked')
  await other
  t.same(await kept.of(['a']), ['a of 2'])
})

t.test('what is asked for often stays, and there are never more than two generations', async t => {
  const { kept, state } = rows()
  for (let round = 0; round < 30; round += 1)
    await kept.of(['hot', ...Array.from({ length: 1000 }, (_, number) => `${round} ${number}`)])
  t.equal(state.asked.flat().filter(key => key === 'hot').length, 1)
  state.asked.length = 0
  await kept.of(['0 0'])
  t.same(state.asked, [['0 0']])
})
