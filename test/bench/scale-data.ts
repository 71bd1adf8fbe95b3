import { cardFieldNames, type CardFacts } from '../../surfaces/cards/card-fields.ts'
import type { GameFacts, SetFacts } from '../../surfaces/cards/rows.ts'
import { gameContentHash, setContentHash } from '../../surfaces/cards/documents/sets-and-games.ts'
import { deriveCoverage } from '../../surfaces/coverage/coverage-store.ts'
import { copyInto, type CopyValue, type Transaction } from '../../core/database/copy.ts'
import type { Database } from '../../core/database/database.ts'
import { deriveArtists } from '../../surfaces/sources/artists.ts'
import { deriveHashes } from '../../surfaces/cards/writing.ts'
import { deriveNames } from '../../surfaces/cards/search/derive-names.ts'
import { writtenColumns, writtenValues } from '../../surfaces/cards/card-row.ts'
import { cardIn, codeIn, lettersOf } from './scale-cards.ts'

/** Sets of about 300 cards, which one scenario asks for. */
export const ordinarySet = 'card_count between 250 and 350'

export type SetOfBase = SetFacts & Readonly<{ id: number }>
/** The real rows that a catalogue consists of, in each turn once. */
export type Base = Readonly<{ cards: readonly CardFacts[]; sets: readonly SetOfBase[] }>

/** Larger than every id of a set of the base. */
const idStep = 10_000
const large = ['cards', 'observations']

/** Whole sets up to about `wanted` cards, those of about 300 cards first and then in an order of no pattern. */
const keptSets = `
  select id from (select *, sum(card_count) over (order by ${ordinarySet} desc, md5(game || code)) - card_count as before from sets) s where before < ?`

/** What a catalogue that was filled here is made of. */
export async function readBase(knex: Database['bulk']): Promise<Base> {
  const { rows: sets } = await knex.raw<{ rows: SetOfBase[] }>(
    `select id, game, code as set_code, name, released_on, declared_total, card_count from sets where id < ${idStep} order by id`
  )
  const { rows: cards } = await knex.raw<{ rows: CardFacts[] }>(`
    select ${cardFieldNames.join(', ')}
    from cards where set_id < ${idStep} order by set_id, sku collate "C"`)
  return { cards, sets }
}

/**
 * Takes indexes and keys off the large tables; answers what puts them back. Building one at the end costs far less than
 * filling it row by row.
 */
async function dropIndexes(transaction: Transaction): Promise<readonly string[]> {
  const { rows } = await transaction.raw<{ rows: { make: string; drop: string }[] }>(
    `
    select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
      format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
    from pg_constraint where contype in ('p', 'u') and conrelid = any(?::regclass[])
    union all
    select pg_get_indexdef(indexrelid), format('drop index %s', indexrelid::regclass)
    from pg_index where indrelid = any(?::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [large, large]
  )
  for (const { drop } of rows) await transaction.raw(drop)
  return rows.map(({ make }) => make)
}

async function keepSets(transaction: Transaction, wanted: number): Promise<void> {
  await transaction.raw(
    `create temp table dropped on commit drop as select * from sets where id not in (${keptSets})`,
    [wanted]
  )
  await transaction.raw(
    'delete from observations where sku in (select sku from cards where set_id in (select id from dropped))'
  )
  await transaction.raw('delete from cards where set_id in (select id from dropped)')
  await transaction.raw(
    'delete from declared_sets d where not exists (select from sets s where s.game = d.game and s.code_key = d.code_key and s.id not in (select id from dropped))'
  )
  await transaction.raw('delete from disagreements d where not exists (select from cards c where c.sku = d.sku)')
  await transaction.raw('delete from quarantine')
  await transaction.raw('delete from sets where id in (select id from dropped)')
}

async function addSets(transaction: Transaction, { sets }: Base, turns: number): Promise<void> {
  function* rows(): Generator<CopyValue[]> {
    for (let turn = 1; turn < turns; turn++) {
      for (const set of sets) {
        const code = codeIn(turn, set.set_code)
        yield [
          set.id + turn * idStep,
          code,
          code.toLowerCase(),
          setContentHash({ ...set, set_code: code }),
          set.id,
          turn
        ]
      }
    }
  }
  await transaction.raw(
    'create temp table added (id int, code text, code_key text, content_hash text, base int, turn int) on commit drop'
  )
  await copyInto(transaction, 'added', ['id', 'code', 'code_key', 'content_hash', 'base', 'turn'], rows())
  await transaction.raw(`
    insert into sets (id, game, code, code_key, name, name_translations, released_on, released_note, declared_total, card_count, number_count, sources, content_hash, first_seen_at)
    select a.id, game, a.code, a.code_key, name, name_translations, released_on, released_note, declared_total, card_count, number_count, sources, a.content_hash, first_seen_at
    from added a join sets s on s.id = a.base`)
  await transaction.raw("select setval(pg_get_serial_sequence('sets', 'id'), max(id)) from sets")
  await transaction.raw(`
    insert into declared_sets (source, game, code, code_key, name, released_on, declared_total)
    select d.source, d.game, a.code, a.code_key, d.name, d.released_on, d.declared_total
    from added a join sets s on s.id = a.base join declared_sets d on d.game = s.game and d.code_key = s.code_key`)
}

async function addCards(
  transaction: Transaction,
  { cards, sets }: Base,
  turns: number,
  report: (turn: number) => void
): Promise<void> {
  const idOf = new Map(sets.map(({ id, game, set_code: code }) => [`${game} ${code.toLowerCase()}`, id]))
  function* rows(): Generator<CopyValue[]> {
    for (let turn = 1; turn < turns; turn++) {
      report(turn)
      for (const base of cards) {
        const card = cardIn(turn, base)
        yield [...writtenValues(card), (idOf.get(`${base.game} ${base.set_code.toLowerCase()}`) ?? 0) + turn * idStep]
      }
    }
  }
  await copyInto(transaction, 'cards', [...writtenColumns, 'set_id'], rows())
}

/** What the sources said of the cards and when it was seen, of each turn as of the real rows. */
async function addObservations(transaction: Transaction, turns: number): Promise<void> {
  const letters = Array.from({ length: turns - 1 }, (_, index) => lettersOf(index + 1))
  await transaction.raw(
    `
    insert into observations (source, native_id, sku, game, digest, row, statement_id, from_run)
    select o.source, o.native_id || ' ' || letters, c.sku, c.game, encode(sha256(convert_to(o.digest || letters, 'UTF8')), 'hex'),
      o.row::jsonb || jsonb_build_object('set_code', c.set_code, 'card_number', c.card_number), o.statement_id, o.from_run
    from observations o cross join unnest(?::text[]) letters join cards c on c.sku = regexp_replace(o.sku, '^([a-z0-9]+-[a-z]*)', '\\1' || lower(letters))`,
    [letters]
  )
}

/** Answers all games that are or were there. */
async function countGames(transaction: Transaction): Promise<readonly string[]> {
  const before = await transaction('games').pluck<string[]>('token')
  const { rows: games } = await transaction.raw<{ rows: GameFacts[] }>(`
    select game, count(*)::int as set_count, sum(card_count)::int as card_count, sum(declared_total)::int as declared_card_count from sets group by game`)
  await transaction.raw('delete from games where token <> all(?)', [games.map(({ game }) => game)])
  for (const game of games) {
    await transaction.raw(
      'update games set set_count = ?, card_count = ?, declared_card_count = ?, content_hash = ? where token = ?',
      [game.set_count, game.card_count, game.declared_card_count, gameContentHash(game), game.game]
    )
  }
  return before
}

/**
 * Makes a catalogue of `turns` times about `cards` cards out of a database with real ones: whole sets of these, and
 * then the same sets again under other codes. Documents and hashes come from the code that makes them in an import;
 * everything derived is derived again.
 */
export async function fillCatalogue(
  { bulk }: Pick<Database, 'bulk'>,
  { cards, turns }: Readonly<{ cards: number; turns: number }>,
  report: (what: string) => void
): Promise<void> {
  await bulk.transaction(async transaction => {
    await transaction.raw("set local maintenance_work_mem = '512MB'")
    await transaction.raw("set local work_mem = '256MB'")
    await keepSets(transaction, cards)
    const indexes = await dropIndexes(transaction)
    const base = await readBase(transaction)
    await addSets(transaction, base, turns)
    await addCards(transaction, base, turns, turn => {
      if (turn % 10 === 0) report(`${turn * base.cards.length} cards`)
    })
    report('observations')
    await transaction.raw('analyze cards, observations')
    await addObservations(transaction, turns)
    for (const make of indexes) {
      report(make.replace(/ (?:USING|USING btree)? ?\(.*/, ''))
      await transaction.raw(make)
    }
    report('counts')
    const games = await countGames(transaction)
    await deriveHashes(transaction, games)
    await deriveArtists(transaction, games)
    await deriveCoverage(transaction, games)
    await deriveNames(transaction, games)
  })
  report('vacuum')
  await bulk.raw('vacuum (full, analyze) coverage_patterns')
  await bulk.raw('vacuum (analyze)')
}
