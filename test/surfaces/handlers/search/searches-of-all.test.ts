// test: long. Imports every declared source.
import { join } from 'node:path'
import t from 'tap'
import { importSource } from '../../../../surfaces/importer.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { cardFolder, withoutCards } from '../../../support/card-folder.ts'
import { searchOver } from '../../cards/search/ask-search.ts'
import { declaredSources } from '../../import/bundled-sources.ts'
import { tables } from './read-searches.ts'
import { runSearches, type Found } from './searches.ts'

/** How many of the searches found the right card among those of all sources, as measured. */
const recorded: Readonly<Record<(typeof tables)[number], Found>> = {
  searches: { first: 115, amongFive: 118, of: 120 },
  'searches-blind': { first: 77, amongFive: 78, of: 80 }
}

t.test(
  'what collectors type finds the card that they mean among those of all sources',
  { skip: withoutCards },
  async t => {
    const { url } = await bundledDatabase(t)
    const searching = await searchOver(t, url)
    for (const source of declaredSources().values())
      if (source.where === 'folder')
        await importSource(searching.database, source, {
          folder: join(cardFolder ?? '', source.id),
          conditionsMet: true
        })
    for (const table of tables) t.same(await runSearches(t, searching, table, 'all'), recorded[table], table)
  }
)
