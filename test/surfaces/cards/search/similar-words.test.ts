import t from 'tap'
import { bundledDatabase } from '../../../support/bundled.ts'
import { searchOver } from './ask-search.ts'

t.test('right after an import, similar words are found by their index', async t => {
  const { database } = await searchOver(t, (await bundledDatabase(t)).url)
  const { rows } = await database.bulk.raw<{ rows: { 'QUERY PLAN': string }[] }>(
    "explain select * from similar_words('donquihote')"
  )
  t.match(rows.map(row => row['QUERY PLAN']).join('\n'), /on name_words_likeness_index/)
})
