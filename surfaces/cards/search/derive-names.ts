import { copyInto, type CopyValue, type Database, type Transaction } from 'pantry/database'
import { batchesOf, lockCardWrites, type Projection } from '../writing.ts'
import { deletionHashes, foldName, formsOf, innerStarts, maxMistakesIn, nameKey, wordsOf } from './fold-name.ts'
import { fieldWords, setWords } from './field-words.ts'

type NameRow = Readonly<{ id: number; game: string; name: string; printings: number }>

/** Returns the texts by which a name is found: its forms from each word on. */
function startsOf(name: string): ReadonlySet<string> {
  const forms = formsOf(foldName(name))
  return new Set([nameKey(name), ...forms, ...forms.flatMap(innerStarts)].filter(start => start !== ''))
}

function* startRows(names: readonly NameRow[]): Generator<CopyValue[]> {
  for (const { id, game, name, printings } of names)
    for (const start of startsOf(name)) yield [game, start, id, printings]
}

/** Returns the words that are long enough to be matched with typing mistakes. */
function wordsIn(names: readonly NameRow[]): string[] {
  const words = new Set<string>()
  for (const { name } of names)
    for (const word of formsOf(foldName(name)).flatMap(wordsOf)) if (maxMistakesIn(word) > 0) words.add(word)
  return [...words]
}

async function forget(transaction: Transaction, names: readonly NameRow[]): Promise<void> {
  if (names.length === 0) return
  await transaction.raw(
    'create temp table gone (game text, start text collate "C", name_id integer, printings integer) on commit drop'
  )
  await copyInto(transaction, 'gone', ['game', 'start', 'name_id', 'printings'], startRows(names))
  await transaction.raw(
    'delete from name_starts s using gone g where s.game = g.game and s.start = g.start and s.name_id = g.name_id'
  )
  await transaction.raw('drop table gone')
  await transaction.raw('delete from name_numbers where name_id = any(?)', [names.map(({ id }) => id)])
}

/** Deletes those of the words that no name contains any more. */
async function forgetWords(transaction: Transaction, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  await transaction.raw(
    `
    delete from name_words w where word = any(?) and not exists (
      select from games g join name_starts s on s.game = g.token and s.start >= w.word and s.start < w.word || '!')`,
    [[...words]]
  )
}

async function add(transaction: Transaction, names: readonly NameRow[]): Promise<void> {
  if (names.length === 0) return
  await copyInto(transaction, 'name_starts', ['game', 'start', 'name_id', 'printings'], startRows(names))
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

type SetRow = Readonly<{
  id: number
  game: string
  code: string
  name: string | null
  name_translations: Readonly<Record<string, string>> | null
  released_on: string | null
  card_count: number
}>

async function deriveSetWords(transaction: Transaction, sets: readonly SetRow[], games: readonly string[]) {
  await transaction.raw(
    'create temp table worded (game text, word text collate "C", set_id integer, is_code boolean) on commit drop'
  )
  const rows = sets.flatMap(({ id, game, code, name, name_translations: others }) =>
    [...setWords(code, [name, ...Object.values(others ?? {})])].map(([word, isCode]) => [
      game,
      word,
      id,
      String(isCode)
    ])
  )
  await copyInto(transaction, 'worded', ['game', 'word', 'set_id', 'is_code'], rows)
  const same = 'd.game = w.game and d.word = w.word and d.set_id = w.set_id and d.is_code = w.is_code'
  await transaction.raw(
    `delete from set_words w where game = any(?) and not exists (select from worded d where ${same})`,
    [[...games]]
  )
  await transaction.raw(
    `insert into set_words select * from worded d where not exists (select from set_words w where ${same})`
  )
  await transaction.raw('drop table worded')
}

type CardRow = Readonly<{
  sku: string
  set_id: number
  card_number: string
  number_key: string
  is_foreign: boolean
  name: string | null
  name_translations: Readonly<Record<string, string>> | null
  rarity: string | null
  attributes: string | null
  sources: readonly string[]
}>

const numberColumns = ['set_id', 'set_code', 'card_number', 'number', 'released_on', 'words', 'skus'] as const
const numbered = ['game', 'name', ...numberColumns, 'is_foreign', 'sources'] as const

/** Yields the rows of `name_numbers` of the cards of whole sets, which are in the order of SKUs, English ones first. */
function* numberRows(cards: readonly CardRow[], sets: ReadonlyMap<number, SetRow>): Generator<CopyValue[]> {
  const groups = new Map<
    string,
    Readonly<{ row: CopyValue[]; skus: string[]; sources: Set<string>; isForeign: boolean }>
  >()
  for (const card of cards) {
    const set = sets.get(card.set_id)
    if (set === undefined) continue
    const number = card.number_key.slice(card.number_key.indexOf(':') + 1)
    for (const name of new Set([card.name ?? '', ...Object.values(card.name_translations ?? {})])) {
      if (name === '') continue
      const words = ` ${[
        ...formsOf(foldName(name)),
        ...setWords(set.code, [set.name, ...Object.values(set.name_translations ?? {})]).keys(),
        `#${number}`,
        ...wordsOf(foldName(card.card_number)),
        ...fieldWords(card.rarity, card.attributes)
      ].join(' ')} `
      const key = [name, card.set_id, card.card_number, words].join('\n')
      const known = groups.get(key)
      if (known !== undefined) {
        known.skus.push(card.sku)
        for (const source of card.sources) known.sources.add(source)
        continue
      }
      const skus = [card.sku]
      const row = [set.game, name, card.set_id, set.code, card.card_number, number, set.released_on, words, skus]
      groups.set(key, { row, skus, sources: new Set(card.sources), isForeign: card.is_foreign })
    }
  }
  for (const { row, sources, isForeign } of groups.values()) yield [...row, String(isForeign), [...sources]]
}

async function readNumbers(transaction: Transaction, sets: readonly SetRow[]): Promise<void> {
  await transaction.raw(`
    create temp table numbered (
      game text, name text collate "C", set_id integer, set_code text, card_number text, number text, released_on text, words text,
      skus text[], is_foreign boolean, sources text[]) on commit drop`)
  const known = new Map(sets.map(set => [set.id, set]))
  for (const batch of batchesOf(sets)) {
    const { rows } = await transaction.raw<{ rows: CardRow[] }>(
      `
      select sku, set_id, card_number, number_key, lang <> 'en' as is_foreign, name, name_translations, rarity, attributes::text, sources
      from cards where set_id = any(?) order by lang <> 'en', sku`,
      [batch.map(({ id }) => id)]
    )
    await copyInto(transaction, 'numbered', [...numbered], numberRows(rows, known))
  }
}

/** Updates the index of names of these games, in all languages, from their cards; writes only differences. */
export const deriveNames: Projection = async (transaction, games) => {
  const { rows: sets } = await transaction.raw<{ rows: SetRow[] }>(
    'select id, game, code, name, name_translations, released_on, card_count from sets where game = any(?) order by id',
    [[...games]]
  )
  await deriveSetWords(transaction, sets, games)
  await readNumbers(transaction, sets)
  await transaction.raw(`
    create temp table named on commit drop as
    select game, name, sum(cardinality(skus))::int as printings, count(*)::int as numbers,
      (array_agg(skus[1] order by is_foreign, skus[1] collate "C"))[1] as sku,
      md5(string_agg(concat_ws(chr(10), ${numberColumns.join(', ')}), chr(10) order by set_id, card_number, words)) as digest,
      '{}'::text[] as sources
    from numbered group by game, name`)
  await transaction.raw('create index on named (game, name)')
  await transaction.raw(`
    update named n set sources = s.sources from (
      select game, name, array_agg(distinct source collate "C" order by source collate "C") as sources
      from numbered, unnest(sources) as source group by 1, 2) s
    where s.game = n.game and s.name = n.name`)
  await transaction.raw('analyze named')
  const same = 'd.game = n.game and d.name = n.name and d.digest = n.digest'
  const { rows: gone } = await transaction.raw<{ rows: NameRow[] }>(
    `
    delete from card_names n where game = any(?) and not exists (select from named d where ${same})
    returning id, game, name, printings`,
    [[...games]]
  )
  await forget(transaction, gone)
  const { rows: fresh } = await transaction.raw<{ rows: NameRow[] }>(`
    insert into card_names (game, name, printings, numbers, sku, digest, sources)
    select * from named d where not exists (select from card_names n where ${same}) returning id, game, name, printings`)
  await transaction.raw(
    `update card_names n set sources = d.sources from named d where ${same} and d.sources <> n.sources`
  )
  // In the order of the names, so that the rows of one are neighbours.
  await transaction.raw(
    `
    insert into name_numbers (name_id, game, ${numberColumns.join(', ')})
    select n.id, d.game, ${numberColumns.map(column => `d.${column}`).join(', ')}
    from card_names n join numbered d on d.game = n.game and d.name = n.name where n.id = any(?) order by n.id`,
    [fresh.map(({ id }) => id)]
  )
  await add(transaction, fresh)
  await forgetWords(transaction, wordsIn(gone))
  await transaction.raw('drop table named, numbered')
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
