import { Type, closed, Count, nullable, NullableText, Text, Texts, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import { Withdrawal } from './withdrawal.ts'

/**
 * A change of a card at a time (ISO 8601). `fields`: the names of the fields that changed; `former_content_hash`: the
 * previous hash, if it changed.
 */
export const CardChange = closed({
  at: Text,
  kind: Type.Enum(['first-seen', 'changed', 'rewritten', 'withdrawn']),
  run: nullable(Count),
  source: NullableText,
  fields: Texts,
  former_content_hash: NullableText
})
export type CardChange = DataOf<typeof CardChange>

/** A card that exists, with its SKU and content hash. */
const Held = closed({ sku: Text, content_hash: Text })
export type HeldCard = DataOf<typeof Held>

const longestWay = 20

/**
 * Returns SQL that follows the successors of withdrawn cards, up to 20 steps, and selects the last card that exists;
 * `start` selects a SKU and 0.
 */
const present = (start: string): string => `
  with recursive way (sku, steps) as (
    (${start}) union all
    select w.successor, steps + 1 from way join withdrawals w using (sku) where w.successor is not null and steps < ${longestWay}
  ) select c.sku, c.content_hash from way join cards c using (sku) order by steps desc limit 1`

const withdrawn =
  "w.sku, w.source, to_char(w.withdrawn_at at time zone 'UTC', 'YYYY-MM-DD') as withdrawn_on, w.reason, w.successor"

/** Reads the history of cards, and finds the current cards for former identifiers. */
export class CardHistory {
  readonly #knex: Database['reading']
  readonly #rows: Database['rows']

  constructor({ reading: knex, rows }: Pick<Database, 'reading' | 'rows'>) {
    this.#knex = knex
    this.#rows = rows
  }

  /**
   * Returns the latest changes of a card, newest first. For a withdrawn card, the oldest is the run that first saw it.
   * Empty for a SKU that never existed.
   */
  async changes(sku: string, most: number): Promise<readonly CardChange[]> {
    return await this.#rows(
      CardChange,
      this.#knex.raw(
        `
      select at, kind, run, source, fields, former_content_hash from (
        select changed_at as at, kind, run, source, fields, former_hash as former_content_hash, id from card_changes where sku = ?
        union all
        select c.first_seen_at, 'first-seen', r.id, r.source, '{}', null, 0 from cards c left join lateral (
          select min(from_run) as run from (
            select from_run from observations o where o.sku = c.sku union all select from_run from sightings s where s.sku = c.sku
          ) runs
        ) f on true left join runs r on r.id = f.run where c.sku = ?
        union all
        select r.started_at, 'first-seen', r.id, r.source, '{}', null, 0 from runs r
          where r.id = (select min(from_run) from sightings where sku = ?) and not exists (select from cards c where c.sku = ?)
      ) changes order by at desc, id desc limit ?`,
        [sku, sku, sku, sku, most]
      )
    )
  }

  /** Returns the existing card for a SKU: the card itself, or its last existing successor. */
  async bySku(sku: string): Promise<HeldCard | undefined> {
    return (await this.#rows(Held, this.#knex.raw(present('select ?::text collate "C", 0'), [sku])))[0]
  }

  /** Returns the existing card that formerly had a content hash, or its successor. */
  async byFormerHash(hash: string): Promise<HeldCard | undefined> {
    return (
      await this.#rows(
        Held,
        this.#knex.raw(present('select sku, 0 from card_changes where former_hash = ? order by id desc limit 1'), [
          hash
        ])
      )
    )[0]
  }

  /** Returns when and why a card was withdrawn. */
  async withdrawal(sku: string): Promise<Withdrawal | undefined> {
    return (
      await this.#rows(Withdrawal, this.#knex.raw(`select ${withdrawn} from withdrawals w where w.sku = ?`, [sku]))
    )[0]
  }

  /** Returns the withdrawal of the last card that a source listed under one of its own ids. */
  async withdrawalOfNative(source: string, nativeId: string): Promise<Withdrawal | undefined> {
    return (
      await this.#rows(
        Withdrawal,
        this.#knex.raw(
          `
      select ${withdrawn} from sightings s join withdrawals w using (sku) where s.source = ? and s.native_id = ? order by s.until_run desc limit 1`,
          [source, nativeId]
        )
      )
    )[0]
  }
}
