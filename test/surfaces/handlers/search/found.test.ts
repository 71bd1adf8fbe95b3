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

t.test('each value of a facet finds as many cards as it says, and so do two of them', async t => {
  for (const query of [
    { q: 'luffy' },
    { q: 'pikachu' },
    { q: 'dragon' },
    { q: 'op01' },
    { q: 'set:op01 c:red' },
    { q: 'command', game: 'fab' }
  ]) {
    const all = await search(query)
    if (all.summary.counted < all.summary.found) continue
    for (const { name, chosen, values } of all.facets.filter(facet => facet.chosen === null)) {
      t.equal(new Set(values.map(({ value }) => value.toLowerCase())).size, values.length, `${query.q}: ${name}`)
      for (const { value, cards } of values.slice(0, 12)) {
        const narrowed = await search({ ...query, [name]: value })
        t.equal(narrowed.summary.found, cards, `${query.q}, ${name} ${value}`)
        t.match(narrowed.facets.find(one => one.name === name)?.values, [{ value, cards }])
        const other = narrowed.facets.find(one => one.chosen === null && one.values.length > 1)
        const [next] = other?.values ?? []
        if (other === undefined || next === undefined) continue
        const twice = await search({ ...query, [name]: value, [other.name]: next.value })
        t.equal(twice.summary.found, next.cards, `${query.q}, ${name} ${value}, ${other.name} ${next.value}`)
      }
      t.equal(chosen, null)
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
