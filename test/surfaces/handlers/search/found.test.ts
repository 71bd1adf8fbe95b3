import t from 'tap'
import type { Attribute } from '../../../../surfaces/cards/attributes.ts'
import found from '../../../../surfaces/handlers/search/found.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { registryOf } from '../../../support/registry.ts'
import { searchOver } from '../../cards/search/ask-search.ts'

type Answer = Readonly<{
  facets: readonly Readonly<{
    name: string
    chosen: string | null
    values: readonly Readonly<{ value: string; label: string; cards: number }>[]
  }>[]
  summary: Readonly<{ found: number; counted: number; without_facets: number }>
}>

const { url } = await bundledDatabase(t)
const { ask } = await searchOver(t, url)
const { registry } = await registryOf()
const attributes = registry.corpora.get('attributes') as unknown as { entries: readonly Attribute[] }
const search = async (query: Readonly<Record<string, string>>): Promise<Answer> =>
  await ask<Answer>(found, { query, corpora: { attributes } })

// That one value finds as many, of every facet, is in test/surfaces/pages/search.test.ts.
t.test('two values of facets find together as many cards as the second says beside the first', async t => {
  for (const query of [{ q: 'pikachu' }, { q: 'dragon' }, { q: 'set:op01 c:red' }, { q: 'command', game: 'fab' }]) {
    const all = await search(query)
    if (all.summary.counted < all.summary.found) continue
    for (const { name, values } of all.facets.filter(facet => facet.chosen === null)) {
      t.equal(new Set(values.map(({ value }) => value.toLowerCase())).size, values.length, `${query.q}: ${name}`)
      for (const { value } of values.slice(0, 4)) {
        const narrowed = await search({ ...query, [name]: value })
        const other = narrowed.facets.find(one => one.chosen === null && one.values.length > 1)
        const [next] = other?.values ?? []
        if (other === undefined || next === undefined) continue
        const twice = await search({ ...query, [name]: value, [other.name]: next.value })
        t.equal(twice.summary.found, next.cards, `${query.q}, ${name} ${value}, ${other.name} ${next.value}`)
      }
    }
  }
})

t.test('other words for a rarity choose it in its own game', async t => {
  const inWords = await search({ q: 'luffy', game: 'op', rarity: 'super rare' })
  t.ok(inWords.summary.found > 0)
  t.equal(inWords.summary.found, (await search({ q: 'luffy', game: 'op', rarity: 'SR' })).summary.found)
  t.match(
    inWords.facets.find(({ name }) => name === 'rarity'),
    { values: [{ cards: inWords.summary.found }] }
  )
})
