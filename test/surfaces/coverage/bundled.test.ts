import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { registryOf } from '../../support/registry.ts'
import { Catalogue } from '../../../surfaces/cards/catalogue.ts'
import { readHoldings } from '../../../surfaces/cards/open.ts'
import coverage, { history } from '../../../surfaces/handlers/coverage.ts'
import hunt from '../../../surfaces/handlers/coverage/hunt.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { silent } from '../../../core/database/connection.ts'
import { loadSources } from '../../../surfaces/import/open.ts'
import { mappedRows } from '../../support/mapped-rows.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { askingOf, now } from './stage.ts'

type Summary = {
  total_observations: number
  distinct_cards: number
  unassigned_observations: number
  distinct_sources: number
}
type Counted = {
  summary: Summary
  by_game: { game_code: string; distinct_cards: number }[]
  by_source: { source: string; distinct_cards: number }[]
}

const { url } = await bundledDatabase(t)
const database = await openDatabase({ url, dataDir: '', log: silent, checkRows: true, isPatient: true })
t.teardown(() => database.close())
const { registry } = await registryOf()
const sources = [
  ...loadSources(
    registry.corpora.get('sources')?.entries ?? [],
    registry.corpora.get('source-policies')?.entries ?? []
  ).values()
]
const bundled = sources.filter(({ where, access }) => where === 'package' && access === 'wired')
const ask = askingOf(t, database, sources)
// The import ran when the tests did; the questions are asked at the same time on every run.
await database.bulk.raw('update runs set started_at = ?, finished_at = ?', [now, now])
const counted = (await ask(coverage)) as unknown as Counted

t.test('coverage equals a count of the bundled files that shares nothing with the import but the reader', async t => {
  const all = new Set<string>()
  let unassigned = 0
  for (const { id, reader, upstream } of bundled) {
    const own = new Set<string>()
    let rows = 0
    for await (const mapped of mappedRows(reader!, join(packageFolder, 'node_modules', upstream.package!))) {
      rows += 1
      if ('sku' in mapped) own.add(mapped.sku)
    }
    t.equal(counted.by_source.find(({ source }) => source === id)?.distinct_cards, own.size, id)
    for (const sku of own) all.add(sku)
    unassigned += rows - own.size
  }
  t.equal(counted.summary.distinct_cards, all.size)
  t.equal(counted.summary.distinct_sources, bundled.length)
  t.equal(counted.summary.unassigned_observations, unassigned)
})

t.test('coverage, the catalogue, the holdings and the history agree', async t => {
  const { cards } = await new Catalogue(database).size()
  t.equal(counted.summary.distinct_cards, cards)
  t.equal((await readHoldings(database)).cards, cards)
  const { rows } = await database.bulk.raw<{ rows: { game: string; cards: number }[] }>(
    'select game, count(*)::int as cards from cards group by game order by game'
  )
  t.same(
    counted.by_game.map(({ game_code: game, distinct_cards: distinct }) => ({ game, cards: distinct })),
    rows
  )
  const {
    rows: [seen]
  } = await database.bulk.raw<{ rows: { count: number }[] }>(
    'select count(distinct (source, sku))::int as count from observations where from_run is not null'
  )
  t.equal(counted.summary.total_observations, seen?.count)
  t.match(await ask(history), {
    summary: {
      total_observations: counted.summary.total_observations,
      distinct_cards: cards,
      unassigned_observations: counted.summary.unassigned_observations
    }
  })
})

t.test('the real sources raise real questions, each in the shape of the board', async t => {
  const { board } = (await ask(hunt, { limit: 24 })) as unknown as {
    board: { available_by_kind: Record<string, number>; candidates: unknown[] }
  }
  t.comment(JSON.stringify(board.available_by_kind))
  t.ok(board.available_by_kind['partial_set_observations']! > 0)
  t.ok(board.available_by_kind['unassigned_observations']! > 0)
  t.equal(board.candidates.length, 24)
})
