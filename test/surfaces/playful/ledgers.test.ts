import t from 'tap'
import { contributors, kingdoms } from '../../../surfaces/handlers/hospitality.ts'
import { answer, corpora } from './given.ts'

const entriesOf = (name: string) => corpora.get(name)?.entries ?? []

t.test('the ledger of work says what the concepts say, and counts the other ledgers', async t => {
  const { data } = await answer(kingdoms)
  const {
    total,
    by_status: counts,
    kingdoms: rows,
    around_it: around
  } = data as {
    total: number
    by_status: Record<string, number>
    kingdoms: {
      kingdom_id: string
      mission_status: string
      recorded_in: string
      succeeds: string[]
      connection_doc_citations: string[]
    }[]
    around_it: { changelog_entries: number; gaps_by_status: Record<string, number> }
  }
  const declared = entriesOf('concepts').filter(({ kind }) => kind === 'kingdom')
  const of = (ledger: string) => rows.filter(row => row.recorded_in === ledger)
  t.same(
    of('concepts').map(row => row.kingdom_id),
    declared.map(({ id }) => id)
  )
  t.equal(total, rows.length)
  t.same(
    of('handoffs').map(row => row.kingdom_id),
    entriesOf('handoffs').map(({ slug }) => `handoff:${slug as string}`)
  )
  t.equal(rows.length, of('concepts').length + of('handoffs').length, 'no other ledger is told again')
  t.equal(
    Object.values(counts).reduce((sum, count) => sum + count, 0),
    total
  )
  t.match(
    rows.find(row => row.kingdom_id === 'runtime'),
    { mission_status: 'done', succeeds: [], produces_connection_doc: true }
  )
  t.ok(rows.find(row => row.kingdom_id === 'runtime')?.connection_doc_citations.includes('code-map'))
  t.equal(around.changelog_entries, entriesOf('changelog').length)
  t.equal(
    Object.values(around.gaps_by_status).reduce((sum, count) => sum + count, 0),
    entriesOf('gaps').length
  )
})

t.test('every signature of the files is counted once, under the name that it gives', async t => {
  const { data } = await answer(contributors)
  const { contributors: rows, contributor_count: count } = data as {
    contributor_count: number
    contributors: {
      tag: string
      sighting_count: number
      first_seen: string
      last_seen: string
      recent_entries: { date: string; url: string }[]
    }[]
  }
  t.equal(rows.length, count)
  t.equal(
    rows.reduce((sum, row) => sum + row.sighting_count, 0),
    ['handoffs', 'pillow-book', 'agents-notes'].reduce((sum, name) => sum + entriesOf(name).length, 0)
  )
  for (const row of rows) {
    t.match(row.tag, /^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u)
    t.ok(row.first_seen <= row.last_seen)
    t.ok(row.recent_entries.length <= 5 && row.recent_entries[0]?.date === row.last_seen)
  }
  t.ok(rows.some(({ tag }) => tag === 'the-maintainers'))
  const urls = rows.flatMap(({ recent_entries: entries }) => entries.map(({ url }) => url))
  t.equal(new Set(urls).size, urls.length, 'each entry has an address of its own')
})
