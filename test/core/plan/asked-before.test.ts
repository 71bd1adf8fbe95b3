import t from 'tap'
import { createAskedBefore } from '../../../core/plan/asked-before.ts'

t.test('a text is known when it is asked about again', async t => {
  const wasAsked = createAskedBefore()
  const texts = Array.from({ length: 1000 }, (_, number) => `/api/v1/books/${number}`)
  t.equal(texts.filter(wasAsked).length, 0)
  t.ok(texts.filter(wasAsked).length > 980, 'two texts may share a place')
  t.equal(createAskedBefore()(texts[0] ?? ''), false, 'each has a memory of its own')
})

t.test('it has room for some, and forgets those that were asked about long ago', async t => {
  const wasAsked = createAskedBefore()
  for (let number = 0; number < 1_000_000; number += 1) wasAsked(`/${number}`)
  const known = Array.from({ length: 1000 }, (_, number) => `/${number}`).filter(wasAsked).length
  t.ok(known < 50, `${known} of the first thousand are known`)
})
