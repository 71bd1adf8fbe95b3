import type { Test } from 'tap'
import { names } from '../../../../surfaces/handlers/search.ts'
import { registryOf } from '../../../support/registry.ts'
import type { Searching } from '../../cards/search/ask-search.ts'
import { readSearches, type Table, type Wanted } from './read-searches.ts'

type Answer = Readonly<{
  matches: readonly Readonly<{ matched_name: string; card_number: string }>[]
  names: readonly Readonly<{ name: string }>[]
  not_held: readonly string[]
}>
/** How many of so many searches found the right card first, and among the first five. */
export type Found = Readonly<{ first: number; amongFive: number; of: number }>

const countOf = (places: readonly number[]): Found => ({
  first: places.filter(place => place === 0).length,
  amongFive: places.filter(place => place >= 0 && place < 5).length,
  of: places.length
})

/** Asks all searches of a table over the `held` cards, and comments on each game and on what was not first. */
export async function runSearches(
  t: Test,
  { ask, database }: Searching,
  table: Table,
  held: 'bundled' | 'all'
): Promise<Found> {
  const attributes = (await registryOf()).registry.corpora.get('attributes')!
  const named = await database.bulk('card_names').select<{ name: string; game: string }[]>('name', 'game')
  const gameOf = new Map(named.map(({ name, game }) => [name, game]))
  /**
   * Returns the place of the name that is meant, or of the number where one is, from 0; -1 where it is not found. What
   * cannot be found because its script is not held is at the first place if the answer says so.
   */
  const placeOf = async ({ q, game, of_all: ofAll, ...ofBundled }: Wanted): Promise<number> => {
    const { said, name, number } = (held === 'all' ? ofAll : undefined) ?? ofBundled
    const query = game === undefined ? { q } : { q, game }
    const answer = await ask<Answer>(names, {
      query,
      rawQuery: new Map(Object.entries(query).map(([key, value]) => [key, [value]])),
      corpora: { attributes }
    })
    if (said !== undefined) return answer.not_held.includes(said) ? 0 : -1
    return number === undefined
      ? answer.names.findIndex(one => one.name === name)
      : answer.matches.findIndex(match => match.matched_name === name && match.card_number === number)
  }
  const searches = readSearches(table)
  t.equal(new Set(searches.map(({ q, game }) => `${q} ${game}`)).size, searches.length, 'no search is there twice')
  const byGame = new Map<string, number[]>()
  for (const wanted of searches) {
    const place = await placeOf(wanted)
    const game = wanted.game ?? gameOf.get(wanted.name)
    if (!t.ok(game, `${wanted.name} is held`)) continue
    byGame.set(game!, [...(byGame.get(game!) ?? []), place])
    if (place !== 0) t.comment(`${wanted.kind}: ${wanted.q} → ${place < 0 ? 'not found' : place + 1}`)
  }
  for (const [game, places] of byGame) t.comment(game, countOf(places))
  return countOf([...byGame.values()].flat())
}
