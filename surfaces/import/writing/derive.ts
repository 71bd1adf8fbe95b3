/** Derives cards, sets and games from the observations. */
import { copyInto, type Transaction } from 'pantry/database'
import { recordChanges, removeUnobserved, type Cause } from '../../cards/card-history.ts'
import { writtenColumns, writtenValues } from '../../cards/card-row.ts'
import { gameContentHash, setContentHash } from '../../cards/documents/sets-and-games.ts'
import type { SetFacts } from '../../cards/rows.ts'
import { joinPrintedIn, type Projection } from '../../cards/writing.ts'
import type { SetStatement } from '../reading/map-row.ts'
import type { Source } from '../source.ts'
import { disagreementsOf, mergeCard, mergeSet, type SourceStatement } from './merge.ts'

/**
 * Returns the precedence of a source, the lowest first: packages, which come with the release, before folders; equal
 * ones are ordered by id. So a folder adds data but never overrides the release, and the order of imports does not
 * matter.
 */
export const precedenceOf = ({ where }: Source): number => (where === 'package' ? 0 : 1)

/**
 * Creates the temporary table `speakers` with the `place` of each source in the order of precedence. `run` is the
 * current one.
 */
async function rankSources(transaction: Transaction, run: number | null): Promise<void> {
  await transaction.raw(
    `
    create temp table speakers on commit drop as
    select source, row_number() over (order by precedence nulls last, source collate "C")::int as place
    from (select distinct on (source) source, precedence from runs where status = 'succeeded' or id = ?::bigint order by source, id desc) l`,
    [run]
  )
}

/** SQL that joins an observation `o` with the place of its source, as `p`. */
const ranked = 'left join speakers p on p.source = o.source'

/**
 * Creates the temporary tables `touched` (SKUs of cards that may change) and `touched_sets` (ids of sets), and ranks
 * the sources. `run`: the current one, if any.
 */
export async function openTouched(transaction: Transaction, run: number | null): Promise<void> {
  await transaction.raw('create temp table touched (sku text primary key) on commit drop')
  await transaction.raw('create temp table touched_sets (id integer primary key) on commit drop')
  await rankSources(transaction, run)
}

/** Derives cards from new, changed or ended observations, and runs the projections for the games affected. */
export async function derive(
  transaction: Transaction,
  projections: readonly Projection[],
  cause: Cause,
  report: (fraction: number) => void
): Promise<void> {
  await deriveCards(transaction, cause, report)
  const { rows: games } = await transaction.raw<{ rows: { game: string }[] }>(`
    select game from touched_sets t join sets s using (id) union select split_part(sku, '-', 1) from touched`)
  if (games.length === 0) return
  for (const project of projections)
    await project(
      transaction,
      games.map(({ game }) => game)
    )
}

const batchSize = 1000
/** All statements on one card, in order of precedence. */
type Row = Readonly<{ sku: string; stated: readonly SourceStatement[] }>

async function deriveBatch(transaction: Transaction, rows: readonly Row[]): Promise<void> {
  await copyInto(
    transaction,
    'derived',
    [...writtenColumns, 'code_key'],
    rows.map(({ sku, stated }) => {
      const card = mergeCard(
        sku,
        stated.map(({ row }) => row),
        [...new Set(stated.map(({ source }) => source))]
      )
      return [...writtenValues(card), card.set_code.toLowerCase()]
    })
  )
  const differing = rows.flatMap(({ sku, stated }) =>
    disagreementsOf(stated).map(({ field, statements }) => [sku, field, JSON.stringify(statements)])
  )
  if (differing.length > 0) await copyInto(transaction, 'disagreements', ['sku', 'field', 'statements'], differing)
}

/**
 * Derives the cards of all `touched` SKUs from the observations and writes those that differ, with the disagreements
 * between sources. Adds the sets that had or have one of the cards to `touched_sets`, and creates the temporary table
 * `changed` with the SKUs that were written.
 */
async function deriveCards(transaction: Transaction, cause: Cause, report: (fraction: number) => void): Promise<void> {
  await transaction.raw('create temp table changed (sku text) on commit drop')
  const {
    rows: [total]
  } = await transaction.raw<{ rows: { count: number }[] }>('select count(*)::int as count from touched')
  if (total === undefined || total.count === 0) return
  await transaction.raw('analyze touched')
  await transaction.raw(
    'insert into touched_sets select distinct set_id from cards join touched using (sku) on conflict do nothing'
  )
  await transaction.raw(
    `insert into touched_sets select distinct s.id from cards c join touched using (sku) ${joinPrintedIn} on conflict do nothing`
  )
  await transaction.raw('delete from disagreements d using touched t where d.sku = t.sku')
  await transaction.raw(
    `create temp table derived on commit drop as select ${writtenColumns.join(', ')}, ''::text as code_key from cards where false`
  )
  await transaction.raw(`
    declare statements no scroll cursor for
    select o.sku, jsonb_agg(jsonb_build_object('source', o.source, 'row', o.row) order by p.place, o.native_id collate "C") as stated
    from touched t join observations o using (sku) ${ranked}
    group by o.sku`)
  for (let done = 0, size = batchSize; size === batchSize;) {
    const { rows } = await transaction.raw<{ rows: Row[] }>(`fetch ${batchSize} from statements`)
    size = rows.length
    done += size
    if (size > 0) await deriveBatch(transaction, rows)
    report(done / total.count)
  }
  await transaction.raw('analyze derived (sku, game, code_key)')
  await transaction.raw(`
    insert into sets (game, code, code_key, first_seen_at)
    select distinct on (game, code_key) game, set_code, code_key, now() from derived order by game, code_key, set_code collate "C"
    on conflict do nothing`)
  await recordChanges(transaction, cause)
  // The document holds every fact except translated names, so comparing its digest and the names finds changed cards.
  await transaction.raw(`
    with written as (
      insert into cards (${writtenColumns.join(', ')}, set_id)
      select ${writtenColumns.map(column => `d.${column}`).join(', ')}, s.id
      from derived d join sets s on s.game = d.game and s.code_key = d.code_key left join cards c on c.sku = d.sku
      where c.sku is null or (c.digest, c.set_id, c.name_translations::jsonb) is distinct from (d.digest, s.id, d.name_translations::jsonb)
      on conflict (sku, game) do update set ${[...writtenColumns.slice(1), 'set_id', 'updated_at'].map(column => `${column} = excluded.${column}`).join(', ')}
      returning sku
    ) insert into changed select sku from written`)
  await removeUnobserved(transaction, cause)
  await transaction.raw(`
    insert into touched_sets
    select s.id from derived d join sets s on s.game = d.game and s.code_key = d.code_key
    union select s.id from derived c ${joinPrintedIn}
    on conflict do nothing`)
}

type SetRow = Readonly<{
  id: number
  game: string
  code: string
  card_count: number
  number_count: number
  sources: readonly string[]
  statements: readonly SetStatement[] | null
}>
type GameRow = Readonly<{
  token: string
  set_count: number
  card_count: number
  declared_card_count: number | null
  sources: readonly string[]
}>

const newSets = `
  select * from jsonb_to_recordset(?::jsonb) as n(id int, name text, name_translations jsonb, released_on text, released_note text, declared_total int,
    card_count int, number_count int, sources text[], content_hash text, code text)`
const facts = [
  'code',
  'name',
  'name_translations',
  'released_on',
  'released_note',
  'declared_total',
  'card_count',
  'number_count',
  'sources',
  'content_hash'
]

function setRecord(row: SetRow): object {
  const stated = mergeSet(row.statements ?? [])
  const set: SetFacts = {
    game: row.game,
    set_code: row.code,
    name: stated.name,
    released_on: stated.released_on,
    declared_total: stated.declared_total,
    card_count: row.card_count
  }
  return {
    id: row.id,
    code: row.code,
    ...stated,
    card_count: row.card_count,
    number_count: row.number_count,
    sources: row.sources,
    content_hash: setContentHash(set)
  }
}

/**
 * Derives the facts of the `touched_sets`: counts their cards, joins the sources of these, merges the statements of
 * their observations in the order of `speakers`, and deletes sets without cards; then derives the given games from
 * their sets. If a code has several spellings, the first in byte order is used.
 */
export const deriveSets: Projection = async (transaction, games) => {
  await transaction.raw('analyze touched_sets')
  const { rows: sets } = await transaction.raw<{ rows: SetRow[] }>(`
    select s.id, s.game, coalesce(n.code, s.code) as code, coalesce(n.cards, 0) as card_count, coalesce(n.numbers, 0) as number_count,
      coalesce(n.sources, '{}') as sources,
      jsonb_agg(w.statement order by o.place, o.native_id) filter (where w.id is not null) as statements
    from touched_sets t join sets s using (id) left join (
      select set_id, min(set_code collate "C") as code, count(distinct sku)::int as cards,
        count(distinct card_number)::int as numbers,
        array_agg(distinct source collate "C" order by source collate "C") as sources
      from touched_sets t join cards c on c.set_id = t.id cross join unnest(c.sources) as source group by 1
    ) n on n.set_id = s.id left join (
      select c.set_id, o.statement_id, p.place, min(o.native_id collate "C") as native_id
      from touched_sets t join cards c on c.set_id = t.id join observations o using (sku) ${ranked}
      group by 1, 2, 3
    ) o on o.set_id = s.id left join set_statements w on w.id = o.statement_id
    group by s.id, n.code, n.cards, n.numbers, n.sources`)
  await transaction.raw(
    `
    update sets s set ${facts.map(fact => `${fact} = n.${fact}`).join(', ')} from (${newSets}) n
    where s.id = n.id and (${facts.map(fact => `s.${fact}`).join(', ')}) is distinct from (${facts.map(fact => `n.${fact}`).join(', ')})`,
    [JSON.stringify(sets.map(setRecord))]
  )
  await transaction.raw(
    'delete from sets s using touched_sets t where s.id = t.id and not exists (select from cards c where c.set_id = s.id)'
  )
  await deriveGames(transaction, games)
}

async function deriveGames(transaction: Transaction, tokens: readonly string[]): Promise<void> {
  const { rows: games } = await transaction.raw<{ rows: GameRow[] }>(
    `
    select game as token, count(*)::int as set_count, sum(card_count)::int as card_count, sum(declared_total)::int as declared_card_count,
      (select array_agg(distinct source collate "C" order by source collate "C") from sets o, unnest(o.sources) as source where o.game = s.game) as sources
    from sets s where game = any(?) group by game`,
    [[...tokens]]
  )
  await transaction.raw(
    `
    insert into games as g (token, set_count, card_count, declared_card_count, sources, content_hash, first_seen_at, updated_at)
    select token, set_count, card_count, declared_card_count, sources, content_hash, now(), now()
    from jsonb_to_recordset(?::jsonb) as n(token text, set_count int, card_count int, declared_card_count int, sources text[], content_hash text)
    on conflict (token) do update set set_count = excluded.set_count, card_count = excluded.card_count,
      declared_card_count = excluded.declared_card_count, sources = excluded.sources, content_hash = excluded.content_hash, updated_at = excluded.updated_at
    where (g.content_hash, g.sources) is distinct from (excluded.content_hash, excluded.sources)`,
    [JSON.stringify(games.map(game => ({ ...game, content_hash: gameContentHash({ ...game, game: game.token }) })))]
  )
  await transaction.raw(
    'delete from games g where token = any(?) and not exists (select from sets s where s.game = g.token)',
    [[...tokens]]
  )
}
