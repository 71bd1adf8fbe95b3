import t, { type Test } from 'tap'
import { createDoorkeeper, createMemo, memoBytes } from '../../../core/plan/choose.ts'
import { dispatch, routeOf } from '../../../core/plan/generation.ts'
import { generationOf, library } from '../../support/serve-root.ts'
import { planRequest } from '../../support/plan-request.ts'

const mebibyte = 1024 * 1024

t.test('one budget counts what all memos keep; the longest unused goes first', async t => {
  const memos = [createMemo<number>(), createMemo<number>()] as const
  memos[0].set('used', -1, 0)
  for (let number = 0; number < 100; number += 1) {
    memos[number % 2 === 0 ? 0 : 1].set(`entry ${number}`, number, mebibyte)
    t.ok(memoBytes() <= 32 * mebibyte)
    t.equal(memos[0].get('used'), -1)
  }
  const kept = Array.from({ length: 100 }, (_, number) =>
    memos[number % 2 === 0 ? 0 : 1].get(`entry ${number}`)
  ).filter(value => value !== undefined)
  t.same(
    kept,
    Array.from({ length: 31 }, (_, index) => 69 + index),
    'the latest, and as many as there is room for'
  )
})

t.test('a memo forgets what it keeps, and leaves the others theirs', async t => {
  const [a, b] = [createMemo<string>(), createMemo<string>()]
  const before = memoBytes()
  for (const memo of [a, b]) memo.set('key', 'kept', 1000)
  const both = memoBytes() - before
  a.clear()
  t.equal(a.get('key'), undefined)
  t.equal(b.get('key'), 'kept')
  t.ok(memoBytes() - before < both)
  b.clear()
  t.equal(memoBytes(), before)
})

t.test('two memos keep the same key apart; what is too long or too large is not kept', async t => {
  const [a, b] = [createMemo<string>(), createMemo<string>()]
  a.set('key', 'of a', 1)
  t.equal(b.get('key'), undefined)
  b.set('key', 'of b', 1)
  t.equal(a.get('key'), 'of a')
  a.set('k'.repeat(513), 'long', 1)
  t.equal(a.get('k'.repeat(513)), undefined)
  a.set('large', 'large', 5 * mebibyte)
  t.equal(a.get('large'), undefined)
})

async function asking(
  t: Test
): Promise<(target: string, headers?: Record<string, string>, method?: string) => Promise<number>> {
  const { index } = await generationOf(t, [library])
  const now = new Date()
  return async (target, headers = {}, method = 'GET') => {
    const [path = '', search = ''] = target.split('?')
    const match = index.find(method, path)
    if (match === undefined || !('value' in match)) throw new Error(target)
    const before = memoBytes()
    await match.value.answer(planRequest(path, { method, search, params: match.params, headers, now }))
    return memoBytes() - before
  }
}

t.test('a prepared answer counts in every form, once for what is declared', async t => {
  const grownBy = await asking(t)
  t.ok((await grownBy('/api/v1/library/books')) > 3000, 'the answer')
  t.equal(await grownBy('/api/v1/library/books'), 0)
  t.equal(await grownBy('/api/v1/library/books', {}, 'HEAD'), 0)
  t.equal(await grownBy('/api/v1/library/books?z=1&y=2'), 0, 'undeclared parameters')
  t.ok((await grownBy('/api/v1/library/books', { 'accept-encoding': 'gzip' })) > 1500, 'its gzip template')
  t.equal(await grownBy('/api/v1/library/books?z=3', { 'accept-encoding': 'gzip' }), 0)
  t.equal(await grownBy('/api/v1/library/books?genre=novel'), 0, 'one of many that is asked for once')
  t.ok((await grownBy('/api/v1/library/books?genre=novel')) > 1000, 'a declared parameter, asked for again')
  t.equal(await grownBy('/api/v1/library/books?z=3&genre=novel&'), 0)
  t.equal(await grownBy('/api/v1/library/books?format=md&genre=novel'), 0)
  t.ok((await grownBy('/api/v1/library/books?format=md&genre=novel')) > 1000, 'another format')
  t.equal(await grownBy('/api/v1/library/books?genre=novel&format=md'), 0, 'declared parameters in another order')
  t.ok((await grownBy('/api/openapi.json')) > 10_000)
  t.ok((await grownBy('/api/openapi.json', { 'accept-encoding': 'br' })) > 3000, 'its brotli form')
})

t.test('paths that nothing claims leave nothing behind', async t => {
  const generation = await generationOf(t, [library])
  const now = new Date()
  const before = memoBytes()
  for (let number = 0; number < 100; number += 1) {
    const path = `/api/v1/library/boks-${number}`
    const { answer } = dispatch(generation, planRequest(path, { now }), routeOf(generation, 'GET', path))
    t.equal((await answer).status, 404)
  }
  t.equal(memoBytes(), before)
})

t.test('a text is known when it is asked about again', async t => {
  const wasAsked = createDoorkeeper()
  const texts = Array.from({ length: 1000 }, (_, number) => `/api/v1/books/${number}`)
  t.equal(texts.filter(wasAsked).length, 0)
  t.ok(texts.filter(wasAsked).length > 980, 'two texts may share a place')
  t.equal(createDoorkeeper()(texts[0] ?? ''), false, 'each has a memory of its own')
})

t.test('it has room for some, and forgets those that were asked about long ago', async t => {
  const wasAsked = createDoorkeeper()
  for (let number = 0; number < 1_000_000; number += 1) wasAsked(`/${number}`)
  const known = Array.from({ length: 1000 }, (_, number) => `/${number}`).filter(wasAsked).length
  t.ok(known < 50, `${known} of the first thousand are known`)
})
