import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { names } from '../../../../surfaces/handlers/search.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { registryOf } from '../../../support/registry.ts'
import { searchOver } from '../../cards/search/ask-search.ts'

type Wanted = Readonly<{ kind: string; q: string; game?: string; said?: string; name: string; number?: string }>
type Answer = Readonly<{
  matches: readonly Readonly<{ matched_name: string; card_number: string }>[]
  names: readonly Readonly<{ name: string }>[]
  not_held: readonly string[]
}>

/** How many of the searches found the right card, as measured; a ranking that finds more writes its own here. */
const recorded = { first: 114, amongFive: 120 }

const searches = parse(readFileSync('test/surfaces/handlers/search/searches.yaml', 'utf8')) as readonly Wanted[]
const { url } = await bundledDatabase(t)
const { ask } = await searchOver(t, url)
const attributes = (await registryOf()).registry.corpora.get('attributes')!

/**
 * Returns the place of the name that is meant, or of the number where one is, from 0; -1 where it is not found. What
 * cannot be found because its script is not held is at the first place if the answer says so.
 */
async function placeOf({ q, game, said, name, number }: Wanted): Promise<number> {
  const query = game === undefined ? { q } : { q, game }
  const {
    matches,
    names: found,
    not_held: scripts
  } = await ask<Answer>(names, {
    query,
    rawQuery: new Map(Object.entries(query).map(([key, value]) => [key, [value]])),
    corpora: { attributes }
  })
  if (said !== undefined) return scripts.includes(said) ? 0 : -1
  return number === undefined
    ? found.findIndex(one => one.name === name)
    : matches.findIndex(match => match.matched_name === name && match.card_number === number)
}

t.test('what collectors type finds the card that they mean as often as recorded', async t => {
  const places = new Map<string, number>()
  for (const wanted of searches) places.set(`${wanted.kind}: ${wanted.q}`, await placeOf(wanted))
  const all = [...places.values()]
  t.equal(places.size, searches.length, 'no search is there twice')
  const first = all.filter(place => place === 0).length
  const amongFive = all.filter(place => place >= 0 && place < 5).length
  t.comment(`first: ${first}, among five: ${amongFive}, of ${searches.length}`)
  for (const [search, place] of places) if (place !== 0) t.comment(`${search} → ${place < 0 ? 'not found' : place + 1}`)
  t.same({ first, amongFive }, recorded)
})
