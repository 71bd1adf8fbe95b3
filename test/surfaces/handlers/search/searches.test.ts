import t from 'tap'
import { bundledDatabase } from '../../../support/bundled.ts'
import { searchOver } from '../../cards/search/ask-search.ts'
import { tables } from './read-searches.ts'
import { runSearches, type Found } from './searches.ts'

/** How many of the searches found the right card, as measured; a ranking that finds more writes its own here. */
const recorded: Readonly<Record<(typeof tables)[number], Found>> = {
  searches: { first: 115, amongFive: 120, of: 120 },
  'searches-blind': { first: 79, amongFive: 80, of: 80 }
}

const { url } = await bundledDatabase(t)
const searching = await searchOver(t, url)

for (const table of tables)
  t.test(`${table}: what collectors type finds the card that they mean as often as recorded`, async t => {
    t.same(await runSearches(t, searching, table, 'bundled'), recorded[table])
  })

t.test('the right card is first in 90 % and among five in 98 %, and at most five points less where nobody knew', t => {
  const { searches, 'searches-blind': blind } = recorded
  const share = (found: Found, place: 'first' | 'amongFive'): number => (100 * found[place]) / found.of
  t.ok(share(searches, 'first') >= 90 && share(searches, 'amongFive') >= 98)
  for (const place of ['first', 'amongFive'] as const) t.ok(share(blind, place) >= share(searches, place) - 5, place)
  t.end()
})
