import t from 'tap'
import { readFeed } from '../../../../surfaces/cards/card-feed.ts'
import feed from '../../../../surfaces/handlers/cards/feed.ts'
import { importSource } from '../../../../surfaces/importer.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { testDatabase } from '../../../support/database.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import type { Services } from '../../../../surfaces/services.ts'
import { requestOf } from '../../cards/ask.ts'
import { plain, writeRows, type Row } from '../../import/rows-on-disk.ts'

type Entry = Readonly<{
  at: string
  kind: string
  set: string | null
  sku: string | null
  cards: number | null
  moved_to: string | null
}>
type Answer = Readonly<{ entries: readonly Entry[]; next: string | null; resume: string; complete: boolean }>

const { database } = await testDatabase(t)
const folder = scratchFolder(t)
const load = (rows: readonly Row[]) => importSource(database, plain('plain'), { folder: writeRows(folder, rows) })
const games = { named: (token: string) => ({ token }) }
const services = {
  games,
  changeFeed: async (asked: Parameters<typeof readFeed>[1]) => await readFeed(database, asked)
} as unknown as Services

const ask = async (query: Readonly<Record<string, unknown>> = {}, now = new Date()): Promise<Answer> => {
  const { data } = await feed.handle({ ...requestOf({ query: { game: 'lan', ...query } }), now }, services)
  t.same(compileSchema(feed.reply)(data), [])
  return data as Answer
}
const afterOf = (path: string): string => new URL(path, 'https://x.example').searchParams.get('after')!
const shown = ({ entries }: Answer): string[] =>
  entries.map(({ kind, set, sku, cards, moved_to: moved }) => [kind, set, sku, cards, moved].join(' '))

t.test('a first import is one entry for each set, and each later change one for its card', async t => {
  await load([{ id: 'a' }, { id: 'b', number: '002' }, { id: 'c', number: '001', set: 'CD2' }])
  const first = await ask()
  t.same(shown(first), ['set-first-seen ab1  2 ', 'set-first-seen cd2  1 '])
  t.equal(first.next, null)

  const after = afterOf(first.resume)
  t.same(shown(await ask({ after })), [], 'nothing is new')
  t.equal((await ask({ after })).resume, first.resume, 'and the place stays')

  await load([
    { id: 'a', name: 'Robin' },
    { id: 'b', number: '009' },
    { id: 'c', number: '001', set: 'CD2' },
    { id: 'd', number: '003' },
    { id: 'e', set: 'EF3' }
  ])
  const second = await ask({ after })
  t.same(shown(second).sort(), [
    'changed ab1 lan-ab1-001-en  ',
    'first-seen ab1 lan-ab1-003-en  ',
    'first-seen ab1 lan-ab1-009-en  ',
    'moved ab1 lan-ab1-002-en  lan-ab1-009-en',
    'set-first-seen ef3  1 '
  ])
  t.same(shown(await ask({ after, kind: 'moved' })), ['moved ab1 lan-ab1-002-en  lan-ab1-009-en'])
  t.same(shown(await ask({ after, set: 'EF3' })), ['set-first-seen ef3  1 '])
  t.same(shown(await ask({ set: 'AB1' })).length, 5)
  t.same(shown(await ask({ game: 'other' })), [])

  const paged: string[] = []
  for (let place: string | undefined; ;) {
    const page: Answer = await ask({ limit: 2, ...(place === undefined ? {} : { after: place }) })
    paged.push(...shown(page))
    if (page.next === null) break
    place = afterOf(page.next)
  }
  t.same(
    paged,
    ['set-first-seen ab1  1 ', ...shown(first).slice(1), ...shown(second)],
    'pages hold each entry once, in order, and a set counts what is left of it'
  )
})

t.test('what is older than the window is gone, and a cursor before it says so', async t => {
  const { resume } = await ask({ limit: 1 })
  const later = new Date(Date.now() + 91 * 86_400_000)
  t.same(shown(await ask({}, later)), [])
  t.equal((await ask({}, later)).complete, true)
  t.equal((await ask({ after: afterOf(resume) }, later)).complete, false)
})

t.test('a cursor of nobody is refused', async t => {
  for (const after of ['x', Buffer.from('2026-13-45T00:00:00.000000Z b1').toString('base64url')])
    await t.rejects(ask({ after }), { code: 'INVALID_INPUT', details: { field: 'after' } })
})
