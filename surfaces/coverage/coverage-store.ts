/** The tables of the coverage: how imports write them, and how they are read. */
import { Type, closed, Count, nullable, Text, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { TSchema } from 'typebox'
import type { CatalogueCache } from '../cards/kept.ts'
import type { Projection } from '../cards/writing.ts'
import { repeatedRow } from '../import/writing/observe.ts'
import { Archive } from './archive.ts'
import { HuntCases } from './hunt/cases.ts'

/**
 * SQL that turns the array `sightings` into rows. Aggregating records per card is many times faster than aggregating
 * JSON.
 */
const sighting = 'unnest(sightings) as s(source text, from_run bigint, until_run bigint)'

/**
 * SQL that selects the cards of some games: existing ones, and those withdrawn because their sources no longer list
 * them. Former SKUs of rows that were remapped are not counted.
 */
const observed = `
  select sku, game, set_id from cards where game = any(?)
  union all select * from (select sku, split_part(sku, '-', 1) as game, null::int from withdrawals where reason = 'gone') w where game = any(?)`

/**
 * Derives `coverage_patterns` and `unseen_sets` of some games. Called within an import, after sightings, cards and sets
 * are written.
 */
export const deriveCoverage: Projection = async (transaction, games) => {
  await transaction.raw('delete from coverage_patterns where game = any(?)', [[...games]])
  await transaction.raw('delete from unseen_sets where set_id in (select id from sets where game = any(?))', [
    [...games]
  ])
  await transaction.raw(
    `
    with seen as (
      select c.game, c.set_id, array_agg(row(s.source, s.from_run, s.until_run) order by s.source collate "C", s.from_run) as sightings
      from (${observed}) c join (
        select sku, source, from_run, until_run from sightings
        union all select sku, source, from_run, null from observations where from_run is not null
      ) s using (sku) group by c.sku, c.game, c.set_id
    ), patterns as materialized (
      select game, set_id, sightings, count(*) as cards from seen group by game, set_id, sightings
    ), unseen as (
      insert into unseen_sets (set_id, source, until_run)
      select set_id, source, max(until_run) from patterns, ${sighting} where set_id is not null group by set_id, source having bool_and(until_run is not null)
    ) insert into coverage_patterns (game, sightings, cards)
    select game, (select jsonb_agg(jsonb_build_array(source, from_run, until_run) order by source collate "C", from_run) from ${sighting}), sum(cards)
    from patterns group by game, sightings`,
    [[...games], [...games]]
  )
}

/**
 * Derives which numbers of each set were seen, and which are missing between them. Called within an import, after cards
 * and sets are written.
 */
export const deriveNumbers: Projection = async (transaction, games) => {
  await transaction.raw('delete from set_numbers where set_id in (select id from sets where game = any(?))', [
    [...games]
  ])
  await transaction.raw(
    `
    insert into set_numbers (set_id, lowest, highest, unseen, gaps)
    select set_id, min(number), max(number), coalesce(sum(number - before - 1), 0), coalesce(jsonb_agg(jsonb_build_array(before + 1, number - 1) order by number) filter (where number - before > 1), '[]')
    from (select set_id, number, lag(number) over (partition by set_id order by number) as before
      from (select distinct set_id, split_part(number_key, ':', 2)::int as number from cards where game = any(?) and number_key ~ ':[0-9]{1,4}$') n) l group by set_id`,
    [[...games]]
  )
}

/** What is read. Null means no filter. `since`: the first UTC day of the snapshots. */
export type CoverageScope = Readonly<{ source: string | null; game: string | null; since: string | null }>

const set = { game: Text, set_code: Text, name: nullable(Text) }

/** A set that a source declares, and of which no card is held. */
const MissingSet = closed({ ...set, source: Text, declared_total: nullable(Count) })
/**
 * A set with fewer distinct numbers than declared, or with unseen numbers between seen ones (`gaps`: pairs of first and
 * last), if they are few or the declared total covers them.
 */
export const PartialSet = closed({
  ...set,
  cards: Count,
  numbers: Count,
  declared_total: nullable(Count),
  lowest: nullable(Count),
  highest: nullable(Count),
  unseen: Count,
  gaps: Type.Array(Type.Array(Count))
})
/** A set that the source showed before the run `until`, but not since. */
const UnseenSet = closed({ ...set, cards: Count, source: Text, until: Type.Integer() })
/** How many cards of a game have different values of a field in their sources; `sku` is the first of them. */
const Disagreement = closed({ game: Text, field: Text, cards: Count, sku: Text })
/**
 * Rows of a source that were left out although no kept row has the same content. `sku` is one that such a row claims,
 * but that a card of another row has.
 */
const Unresolved = closed({ source: Text, rows: Count, sku: nullable(Text) })

const Findings = closed({
  ...Archive.properties,
  missing: Type.Array(MissingSet),
  partial: Type.Array(PartialSet),
  unseen: Type.Array(UnseenSet),
  disagreements: Type.Array(Disagreement),
  unresolved: Type.Array(Unresolved)
})
export type CoverageFindings = DataOf<typeof Findings>

const given = 'with given as (select ?::text as source, ?::text as game, ?::text as since)'
const list = (select: string): string => `(select coalesce(jsonb_agg(to_jsonb(l)), '[]') from (${select}) l)`

const archive = `
  ${list(`select p.game, p.sightings, p.cards from coverage_patterns p where given.game is null or p.game = given.game order by p.game collate "C", p.sightings::text collate "C"`)} as patterns,
  ${list(`
    select * from (
      select source, to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD') as day, min(id) as first, max(id) as last,
        to_char(max(finished_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as finished_at,
        (array_agg(rows_quarantined order by id desc))[1] as unassigned
      from runs where status = 'succeeded' and (given.source is null or source = given.source) group by 1, 2
    ) d where given.since is null or d.day >= given.since order by d.source collate "C", d.day`)} as snapshots`

const findings = `
  ${list(`
    select distinct on (d.game collate "C", d.code_key collate "C") d.game, d.code_key as set_code, d.name, d.source, d.declared_total from declared_sets d
    where (given.game is null or d.game = given.game)
      and not exists (select from sets s where s.game = d.game and s.code_key = d.code_key and s.card_count > 0)
    order by d.game collate "C", d.code_key collate "C", d.source collate "C"`)} as missing,
  ${list(`
    select * from (
      select s.game, s.code_key as set_code, s.name, s.card_count as cards, s.number_count as numbers, n.lowest, n.highest, coalesce(n.unseen, 0) as unseen, coalesce(n.gaps, '[]') as gaps,
        coalesce(s.declared_total, (select max(d.declared_total) from declared_sets d where d.game = s.game and d.code_key = s.code_key)) as declared_total
      from sets s left join set_numbers n on n.set_id = s.id where given.game is null or s.game = given.game
    ) p where p.declared_total > p.numbers or (p.unseen > 0 and (2 * p.unseen <= p.numbers or p.highest <= p.declared_total)) order by p.game collate "C", p.set_code collate "C"`)} as partial,
  ${list(`
    select s.game, s.code_key as set_code, s.name, s.card_count as cards, u.source, u.until_run as until
    from unseen_sets u join sets s on s.id = u.set_id where given.game is null or s.game = given.game
    order by s.game collate "C", s.code collate "C", u.source collate "C"`)} as unseen,
  ${list(`
    select * from (
      select split_part(sku, '-', 1) as game, field, count(*)::int as cards, min(sku collate "C") as sku from disagreements group by 1, 2
    ) d where given.game is null or d.game = given.game order by d.game collate "C", d.field collate "C"`)} as disagreements,
  ${list(`
    select q.source, count(*)::int as rows, min(q.sku collate "C") filter (where exists (select from cards c where c.sku = q.sku)) as sku
    from quarantine q where q.reason <> '${repeatedRow}' group by q.source order by q.source collate "C"`)} as unresolved`

/**
 * Reads the tables of the coverage. Each read is one query, so it sees one state of the database. Failures throw
 * `SOURCE_UNAVAILABLE`.
 */
export class CoverageStore {
  readonly #knex: Database['reading']
  readonly #rows: Database['rows']
  readonly #kept: CatalogueCache

  constructor({ reading: knex, rows }: Pick<Database, 'reading' | 'rows'>, kept: CatalogueCache) {
    this.#knex = knex
    this.#rows = rows
    this.#kept = kept
  }

  async archive(scope: CoverageScope): Promise<Archive> {
    return await this.#kept.of(`archive ${JSON.stringify(scope)}`, () => this.#read(Archive, archive, scope))
  }

  async findings(game: string | null): Promise<CoverageFindings> {
    return await this.#kept.of(`findings ${game ?? ''}`, () =>
      this.#read(Findings, `${archive}, ${findings}`, { source: null, game, since: null })
    )
  }

  async #read<Row extends TSchema>(
    row: Row,
    columns: string,
    { source, game, since }: CoverageScope
  ): Promise<DataOf<Row>> {
    const [read] = await this.#rows(row, this.#knex.raw(`${given} select ${columns} from given`, [source, game, since]))
    if (read === undefined) throw new Error('An aggregate answers one row.')
    return read
  }
}

export const openCoverage = (database: Database, kept: CatalogueCache) => ({
  services: { coverage: new CoverageStore(database, kept), huntCases: new HuntCases(database) }
})
