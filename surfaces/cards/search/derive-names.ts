import { copyInto, type Database, type Transaction } from 'pantry/database'
import { lockCardWrites, type Projection } from '../writing.ts'
import { foldName, innerStarts, deletionHashes, maxMistakesIn, nameKey, wordsOf } from './name-index.ts'

type NameRow = Readonly<{ id: number; game: string; name: string }>

function* startRows(names: readonly NameRow[]): Generator<(string | number)[]> {
  for (const { id, game, name } of names) {
    const key = nameKey(name)
    if (key === '') continue
    yield [game, 'false', key, id]
    for (const start of innerStarts(foldName(name))) yield [game, 'true', start, id]
  }
}

/** Returns the words that are long enough to be matched with typing mistakes. */
function wordsIn(names: readonly NameRow[]): string[] {
  const words = new Set<string>()
  for (const { name } of names) for (const word of wordsOf(foldName(name))) if (maxMistakesIn(word) > 0) words.add(word)
  return [...words]
}

const startColumns = ['game', 'is_inner', 'start', 'name_id']

async function forget(transaction: Transaction, names: readonly NameRow[]): Promise<void> {
  if (names.length === 0) return
  await transaction.raw(
    'create temp table gone (game text, is_inner boolean, start text collate "C", name_id integer) on commit drop'
  )
  await copyInto(transaction, 'gone', startColumns, startRows(names))
  await transaction.raw(
    `delete from name_starts s using gone g where ${startColumns.map(column => `s.${column} = g.${column}`).join(' and ')}`
  )
  // Words that no name contains any more are deleted.
  await transaction.raw(
    `
    delete from name_words w where word = any(?) and not exists (
      select from games g cross join (values (false), (true)) p(is_inner) join name_starts s on s.game = g.token and s.is_inner = p.is_inner
        and s.start >= w.word and s.start < w.word || '!' and split_part(s.start, ' ', 1) = w.word)`,
    [wordsIn(names)]
  )
}

async function add(transaction: Transaction, names: readonly NameRow[]): Promise<void> {
  if (names.length === 0) return
  await copyInto(transaction, 'name_starts', startColumns, startRows(names))
  const { rows } = await transaction.raw<{ rows: { word: string }[] }>(
    'select w.word from unnest(?::text[]) w(word) where not exists (select from name_words k where k.word = w.word)',
    [wordsIn(names)]
  )
  await copyInto(
    transaction,
    'name_words',
    ['word', 'marks'],
    rows.map(({ word }) => [word, deletionHashes(word).map(String)])
  )
}

/** Updates the index of names of these games, in all languages, from their cards; writes only differences. */
export const deriveNames: Projection = async (transaction, games) => {
  await transaction.raw(
    `
    create temp table named on commit drop as
    select game, name collate "C" as name, array_agg(sku order by is_foreign, sku collate "C") as skus
    from (
      select distinct c.game, n.name, c.sku, c.lang <> 'en' as is_foreign
      from cards c cross join lateral (select c.name union all select value from json_each_text(c.name_translations)) n(name)
      where c.game = any(?) and n.name <> ''
    ) c group by game, name collate "C"`,
    [[...games]]
  )
  await transaction.raw('analyze named (game, name)')
  const { rows: gone } = await transaction.raw<{ rows: NameRow[] }>(
    `
    delete from card_names n where game = any(?) and not exists (select from named d where d.game = n.game and d.name = n.name) returning id, game, name`,
    [[...games]]
  )
  await transaction.raw(
    'update card_names n set skus = d.skus from named d where d.game = n.game and d.name = n.name and d.skus <> n.skus'
  )
  const { rows: fresh } = await transaction.raw<{ rows: NameRow[] }>(`
    insert into card_names (game, name, skus)
    select game, name, skus from named d where not exists (select from card_names n where n.game = d.game and n.name = d.name) returning id, game, name`)
  await forget(transaction, gone)
  await add(transaction, fresh)
  await transaction.raw('drop table named')
}

/** Builds the index of names if it is empty, as after a migration that emptied it. */
export async function refreshNames({ bulk }: Pick<Database, 'bulk'>): Promise<void> {
  await bulk.transaction(async transaction => {
    await lockCardWrites(transaction)
    const { rows } = await transaction.raw<{ rows: { token: string }[] }>(
      'select token from games where not exists (select from card_names)'
    )
    if (rows.length > 0)
      await deriveNames(
        transaction,
        rows.map(({ token }) => token)
      )
  })
}
