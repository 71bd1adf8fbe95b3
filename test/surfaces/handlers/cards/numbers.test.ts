import t from 'tap'
import { numbersPost } from '../../../../surfaces/handlers/cards.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { searchOver } from '../../cards/search/ask-search.ts'

type Asked = Readonly<{ game: string; set: string; number: string }>
type Answer = Readonly<{
  found_count: number
  results: readonly Readonly<{
    input: Asked
    status: string
    printings: readonly Readonly<{ sku: string; printed_code: string; card_number: string }>[]
    more: boolean
  }>[]
}>

const { url } = await bundledDatabase(t)
const { ask } = await searchOver(t, url)
const find = async (...cards: readonly (readonly [game: string, set: string, number: string])[]): Promise<Answer> =>
  await ask<Answer>(numbersPost, {
    method: 'POST',
    body: { cards: cards.map(([game, set, number]) => ({ game, set, number })) }
  })

t.test('a set and a number find the printings of one card, however they are written', async t => {
  const spellings = [
    ['op', 'OP01', 'OP01-001'],
    ['one-piece', 'op01', '001'],
    ['op', 'OP-01', '1'],
    ['op', ' op1 ', ' op1-1 ']
  ] as const
  const { results, found_count: count } = await find(...spellings)
  t.equal(count, spellings.length)
  const [first] = results
  t.equal(first?.printings[0]?.sku, 'op-op01-001-en')
  for (const { printings, status } of results) {
    t.equal(status, 'found')
    t.same(printings, first?.printings)
    t.ok(printings.every(({ card_number: number }) => number === 'OP01-001'))
  }
})

t.test('a number is of its set alone, and each result says what it answers, in order', async t => {
  const { results } = await find(
    ['ptcgp', 'A1', '1'],
    ['op', 'OP02', 'OP01-001'],
    ['solitaire', 'A1', '1'],
    ['ptcgp', 'A1', '9999'],
    ['ptcgp', 'A1a', '1']
  )
  t.same(
    results.map(({ input, status }) => [input.game, input.set, status]),
    [
      ['ptcgp', 'A1', 'found'],
      ['op', 'OP02', 'not_held'],
      ['solitaire', 'A1', 'unknown_game'],
      ['ptcgp', 'A1', 'not_held'],
      ['ptcgp', 'A1a', 'found']
    ]
  )
  t.ok(results[0]?.printings.every(({ printed_code: code, card_number: number }) => code === 'A1' && number === '1'))
  t.ok(results[4]?.printings.every(({ printed_code: code }) => code === 'A1a'))
})
