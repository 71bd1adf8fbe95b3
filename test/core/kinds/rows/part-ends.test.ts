import t from 'tap'
import { keepEnds } from '../../../../core/kinds/rows/part-ends.ts'

const at = (seconds: number): Date => new Date(seconds * 1000)

t.test('where parts end is found once in ten minutes, however many ask', async t => {
  const asked: unknown[] = []
  let parts = 3
  const endsAt = keepEnds(after => {
    asked.push(after?.[0])
    const next = Number(after?.[0] ?? 0) + 1
    return Promise.resolve(next < parts ? [String(next)] : undefined)
  })
  const [one, other] = await Promise.all([endsAt(at(0)), endsAt(at(1))])
  t.strictSame(
    [one, other],
    [
      [['1'], ['2']],
      [['1'], ['2']]
    ]
  )
  parts = 4
  t.strictSame(await endsAt(at(599)), [['1'], ['2']])
  t.strictSame(asked, [undefined, '1', '2'])
  t.strictSame(await endsAt(at(600)), [['1'], ['2'], ['3']])
  t.strictSame(one, [['1'], ['2']], 'what was returned stays as it is')
})

t.test('a search that fails goes on where it was', async t => {
  const asked: unknown[] = []
  let isAway = true
  const endsAt = keepEnds(after => {
    asked.push(after?.[0])
    if (after?.[0] === '1' && isAway) return Promise.reject(new Error('away'))
    return Promise.resolve(after === undefined ? ['1'] : undefined)
  })
  await t.rejects(endsAt(at(0)), { message: 'away' })
  isAway = false
  t.strictSame(await endsAt(at(1)), [['1']])
  t.strictSame(asked, [undefined, '1', '1'])
})
