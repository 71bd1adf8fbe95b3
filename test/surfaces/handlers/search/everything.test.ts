import t from 'tap'
import { everything } from '../../../../surfaces/handlers/search.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { searchOver, type Match } from '../../cards/search/ask-search.ts'

type Answer = Readonly<{
  input: object
  matches: Match[]
  folded_sku: string | null
  composition: object
  summary: Readonly<Record<string, unknown>>
  everything: Readonly<{ card: { sku: string; name: string }; siblings: { sku: string }[]; history: unknown[] }> | null
}>

const { url } = await bundledDatabase(t)
const { ask } = await searchOver(t, url)
const search = (game: string, q: string, lang?: string) =>
  ask<Answer>(everything, { query: { game, q, ...(lang === undefined ? {} : { lang }) } })

t.test('when one card is meant, everything about it follows', async t => {
  const answer = await search('op', 'OP01-001')
  t.match(answer, {
    input: { game: 'op', q: 'OP01-001', lang: null },
    folded_sku: 'op-op01-001-en',
    everything: { card: { sku: 'op-op01-001-en' }, history: [] },
    composition: { composer_call: 'ok' }
  })
  t.same(new Set(answer.everything?.siblings.map(({ sku }) => sku)), new Set(answer.matches.map(({ sku }) => sku)))
})

t.test('a language leaves only its printings', async t => {
  for (const lang of ['ja', 'JA']) {
    const { matches, folded_sku: folded } = await search('op', 'OP01-001', lang)
    t.ok(matches.length > 0 && matches.every(match => match.lang === 'ja'))
    t.equal(folded, 'op-op01-001-ja')
  }
  t.match(await search('op', 'OP01-001', 'fr'), {
    matches: [],
    folded_sku: null,
    everything: null,
    summary: { best_confidence: 'none' }
  })
  t.match(
    await search('op', 'op-op01-001-en', 'ja'),
    { folded_sku: null, everything: null, summary: { best_confidence: 'fuzzy' } },
    'a SKU of another language'
  )
})

t.test('without one meant beyond doubt there is nothing to follow', async t => {
  const absent = { folded_sku: null, everything: null, composition: { composer_call: 'absent' } }
  t.match(await search('op', '001'), { ...absent, summary: { ambiguous: true } })
  t.match(await search('op', 'OP01-00'), { ...absent, summary: { best_confidence: 'fuzzy' } })
  t.match(await search('op', 'OP99-999'), { ...absent, matches: [], summary: { count: 0 } })
})

t.test('an unknown game is refused', async t => {
  await t.rejects(search('chess', '1'), { code: 'INVALID_INPUT', details: { field: 'game' } })
})
