import type { SetFacts } from '../../catalogue/facts.ts'
import { gameContentHash } from '../../catalogue/game-document.ts'
import { setContentHash } from '../../catalogue/set-document.ts'
import type { Transaction } from 'pantry/database'
import { ranked } from './precedence.ts'
import type { Projection } from '../../catalogue/projection.ts'
import type { SetStatement } from '../reading/map-row.ts'
import { mergeSet } from './merge-observations.ts'

type SetRow = Readonly<{
  id: number
  game: string
  code: string
  card_count: number
  number_count: number
  statements: readonly SetStatement[] | null
}>
type GameRow = Readonly<{ token: string; set_count: number; card_count: number; declared_card_count: number | null }>

const newSets = `
  select * from jsonb_to_recordset(?::jsonb) as n(id int, name text, name_translations jsonb, released_on text, released_note text, declared_total int,
    card_count int, number_count int, content_hash text, code text)`
const facts = [
  'code',
  'name',
  'name_translations',
  'released_on',
  'released_note',
  'declared_total',
  'card_count',
  'number_count',
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
    content_hash: setContentHash(set)
  }
}

/**
 * Derives the facts of the `touched_sets`: counts their cards, merges the statements of their observations in the order
 * of `speakers`, and deletes sets without cards; then does the same for their games. If a code has several spellings,
 * the first in byte order is used.
 */
export const deriveSets: Projection = async (transaction, games) => {
  await transaction.raw('analyze touched_sets')
  const { rows: sets } = await transaction.raw<{ rows: SetRow[] }>(`
    select s.id, s.game, coalesce(n.code, s.code) as code, coalesce(n.cards, 0) as card_count, coalesce(n.numbers, 0) as number_count,
      jsonb_agg(w.statement order by o.place, o.native_id) filter (where w.id is not null) as statements
    from touched_sets t join sets s using (id) left join (
      select set_id, min(set_code collate "C") as code, count(*)::int as cards, count(distinct card_number)::int as numbers
      from touched_sets t join cards c on c.set_id = t.id group by 1
    ) n on n.set_id = s.id left join (
      select c.set_id, o.statement_id, p.place, min(o.native_id collate "C") as native_id
      from touched_sets t join cards c on c.set_id = t.id join observations o using (sku) ${ranked}
      group by 1, 2, 3
    ) o on o.set_id = s.id left join set_statements w on w.id = o.statement_id
    group by s.id, n.code, n.cards, n.numbers`)
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
    select game as token, count(*)::int as set_count, sum(card_count)::int as card_count, sum(declared_total)::int as declared_card_count
    from sets where game = any(?) group by game`,
    [[...tokens]]
  )
  await transaction.raw(
    `
    insert into games as g (token, set_count, card_count, declared_card_count, content_hash, first_seen_at, updated_at)
    select token, set_count, card_count, declared_card_count, content_hash, now(), now()
    from jsonb_to_recordset(?::jsonb) as n(token text, set_count int, card_count int, declared_card_count int, content_hash text)
    on conflict (token) do update set set_count = excluded.set_count, card_count = excluded.card_count,
      declared_card_count = excluded.declared_card_count, content_hash = excluded.content_hash, updated_at = excluded.updated_at
    where g.content_hash <> excluded.content_hash`,
    [JSON.stringify(games.map(game => ({ ...game, content_hash: gameContentHash({ ...game, game: game.token }) })))]
  )
  await transaction.raw(
    'delete from games g where token = any(?) and not exists (select from sets s where s.game = g.token)',
    [[...tokens]]
  )
}
