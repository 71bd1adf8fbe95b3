import type { Database } from 'pantry/database'
import type { Archive } from './archive.ts'

/** What to count; null is everything. `since` is the first UTC day. */
export type Scope = Readonly<{ source: string | null, game: string | null, since: string | null }>

/** A set that a source declares, without an observed card. */
export type MissingSet = Readonly<{ game: string, set_code: string, source: string, declared_total: number | null }>
/** A set with fewer distinct numbers than it is declared to have. */
export type PartialSet = Readonly<{ game: string, set_code: string, cards: number, numbers: number, declared_total: number }>
/** A set that a source showed and shows no longer, since the run `until`. */
export type UnseenSet = Readonly<{ game: string, set_code: string, cards: number, source: string, until: number }>
/** A field that sources state differently for some cards of a game, with the first of them. */
export type Disagreement = Readonly<{ game: string, field: string, cards: number, sku: string }>

export type Findings = Archive & Readonly<{
  missing: readonly MissingSet[]
  partial: readonly PartialSet[]
  unseen: readonly UnseenSet[]
  disagreements: readonly Disagreement[]
}>

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
    select distinct on (d.game collate "C", d.code_key collate "C") d.game, d.code as set_code, d.source, d.declared_total from declared_sets d
    where (given.game is null or d.game = given.game)
      and not exists (select from sets s where s.game = d.game and s.code_key = d.code_key and s.card_count > 0)
    order by d.game collate "C", d.code_key collate "C", d.source collate "C"`)} as missing,
  ${list(`
    select * from (
      select s.game, s.code as set_code, s.card_count as cards, s.number_count as numbers,
        coalesce(s.declared_total, (select max(d.declared_total) from declared_sets d where d.game = s.game and d.code_key = s.code_key)) as declared_total
      from sets s where given.game is null or s.game = given.game
    ) p where p.declared_total > p.numbers order by p.game collate "C", p.set_code collate "C"`)} as partial,
  ${list(`
    select s.game, s.code as set_code, s.card_count as cards, u.source, u.until_run as until
    from unseen_sets u join sets s on s.id = u.set_id where given.game is null or s.game = given.game
    order by s.game collate "C", s.code collate "C", u.source collate "C"`)} as unseen,
  ${list(`
    select * from (
      select split_part(sku, '-', 1) as game, field, count(*)::int as cards, min(sku collate "C") as sku from disagreements group by 1, 2
    ) d where given.game is null or d.game = given.game order by d.game collate "C", d.field collate "C"`)} as disagreements`

/**
 * What coverage is answered from. Each read is one statement, and so one state of the store. Failures of the store are `SOURCE_UNAVAILABLE`.
 */
export class CoverageStore {
  readonly #knex: Database['knex']

  constructor ({ knex }: Pick<Database, 'knex'>) {
    this.#knex = knex
  }

  async archive (scope: Scope): Promise<Archive> {
    return await this.#read(archive, scope) as Archive
  }

  async findings (game: string | null): Promise<Findings> {
    return await this.#read(`${archive}, ${findings}`, { source: null, game, since: null }) as Findings
  }

  async #read (columns: string, { source, game, since }: Scope): Promise<unknown> {
    const { rows: [row] } = await this.#knex.raw<{ rows: unknown[] }>(`${given} select ${columns} from given`, [source, game, since])
    return row
  }
}
