/** Changes and withdrawals of cards: how they are recorded, and how the history is read. */
import {
  closed,
  Count,
  notFound,
  nullable,
  NullableText,
  SurfaceError,
  Text,
  Texts,
  Type,
  type DataOf,
  type JsonObject
} from 'pantry/data'
import type { Database, Transaction } from 'pantry/database'
import { cardFieldNames, cardFields } from './card-fields.ts'
import { paths } from './documents/parts.ts'
import { readSku } from './sku.ts'

/** Sentences on why a card was withdrawn, given its last source. */
const reasons = {
  gone: source => `\`${source}\` lists it no more.`,
  moved: source => `its row of \`${source}\` makes a card with another SKU now.`,
  refused: source => `its row of \`${source}\` cannot be kept any more.`
} as const satisfies Readonly<Record<string, (source: string) => string>>

type WithdrawalReason = keyof typeof reasons

/**
 * A withdrawn card with the last source that observed it. `withdrawn_on`: ISO 8601 date in UTC. `successor`: the SKU
 * that the row of the source had after the withdrawal, or null.
 */
export const Withdrawal = closed({
  sku: Text,
  source: Text,
  withdrawn_on: Text,
  reason: Type.Enum(Object.keys(reasons) as WithdrawalReason[]),
  successor: nullable(Text)
})
export type Withdrawal = DataOf<typeof Withdrawal>

/** A withdrawal as responses show it. */
export const Withdrawn = closed({
  sku: Text,
  on: Text,
  source: Text,
  reason: Withdrawal.properties.reason,
  successor: nullable(Text)
})
export const withdrawnBody = ({
  sku,
  withdrawn_on: on,
  source,
  reason,
  successor
}: Withdrawal): DataOf<typeof Withdrawn> => ({ sku, on, source, reason, successor })

/** Returns a sentence that says when and why a card was withdrawn. */
export const sentenceOf = ({ sku, withdrawn_on: on, reason, source }: Withdrawal): string =>
  `The card \`${sku}\` was withdrawn on ${on}: ${reasons[reason](source)}`

/**
 * The import that changes cards: its source and run. Null when a source is forgotten; those changes are not recorded.
 */
export type Cause = Readonly<{ source: string; run: number }> | null

/** Returns SQL for the names of the members of a JSON column that differ between the cards `c` and `d`. */
const members = (name: string): string => `
  array(select '${name}.' || m from jsonb_object_keys(coalesce(c.${name}::jsonb, '{}') || coalesce(d.${name}::jsonb, '{}')) m
    where c.${name}::jsonb -> m is distinct from d.${name}::jsonb -> m order by m collate "C")`

const plainNames = cardFieldNames.filter(name => cardFields[name].type !== 'members')
const differing = [
  `array_remove(array[${plainNames.map(name => `case when c.${name} is distinct from d.${name} then '${name}' end`).join(', ')}], null)`,
  ...cardFieldNames.filter(name => cardFields[name].type === 'members').map(members)
].join(' || ')

/**
 * Records which fields of the cards in the temporary table `derived` differ from the stored cards, unless `cause` is
 * null. Values are not recorded. Must be called before the cards are written.
 */
export async function recordChanges(transaction: Transaction, cause: Cause): Promise<void> {
  if (cause === null) return
  await transaction.raw(
    `
    insert into card_changes (sku, kind, run, source, changed_at, fields, former_hash)
    select sku, 'changed', ?::bigint, ?, now(), fields, former_hash from (
      select c.sku, ${differing} as fields, nullif(c.content_hash, d.content_hash) as former_hash
      from derived d join cards c on c.sku = d.sku
      where (c.digest, c.name_translations::jsonb) is distinct from (d.digest, d.name_translations::jsonb)
    ) changes where fields <> '{}'
    order by sku`,
    [cause.run, cause.source]
  )
}

/**
 * Deletes the `touched` cards that no source observes any more, and records them as withdrawn unless `cause` is null.
 */
export async function removeUnobserved(transaction: Transaction, cause: Cause): Promise<void> {
  await transaction.raw(
    `
    with gone as (
      delete from cards c using touched t where c.sku = t.sku and not exists (select from observations o where o.sku = t.sku)
      returning c.sku, c.content_hash
    ) insert into card_changes (sku, kind, run, source, changed_at, fields, former_hash)
    select sku, 'withdrawn', ?::bigint, ?, now(), '{}', content_hash from gone where ? order by sku`,
    [cause?.run ?? null, cause?.source ?? null, cause !== null]
  )
}

/**
 * Records the former content hash of each card whose new hash differs, because the service writes its document in
 * another form; the facts are the same.
 */
export async function recordRewritten(transaction: Transaction, skus: string[], hashes: string[]): Promise<void> {
  await transaction.raw(
    `
    insert into card_changes (sku, kind, changed_at, fields, former_hash)
    select c.sku, 'rewritten', now(), '{}', c.content_hash
    from unnest(?::text[], ?::text[]) as n(sku, content_hash) join cards c on c.sku = n.sku and c.content_hash <> n.content_hash
    order by c.sku`,
    [skus, hashes]
  )
}

/**
 * A change of a card at a time (ISO 8601). `fields`: the names of the fields that changed; `former_content_hash`: the
 * hash that the card had before and has no more, or null.
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

const maxSteps = 20

/**
 * Returns SQL that follows the successors of withdrawn cards, up to 20 steps, and selects the last card that exists;
 * `start` selects a SKU and 0.
 */
const present = (start: string): string => `
  with recursive way (sku, steps) as (
    (${start}) union all
    select w.successor, steps + 1 from way join withdrawals w using (sku) where w.successor is not null and steps < ${maxSteps}
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
   * Returns the latest `most` changes of a card, newest first; the oldest of all is `first-seen`. Empty for a SKU of
   * which nothing is recorded.
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

  /** Returns the existing card that formerly had a content hash, or the last existing successor of that card. */
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

  async withdrawal(sku: string): Promise<Withdrawal | undefined> {
    return (
      await this.#rows(Withdrawal, this.#knex.raw(`select ${withdrawn} from withdrawals w where w.sku = ?`, [sku]))
    )[0]
  }

  /** Returns the withdrawal of the last withdrawn card that a source listed under one of its own ids. */
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

/**
 * Returns the NOT_FOUND error for a SKU that does not exist. In its details, `canonical_sku` is the canonical form of
 * the SKU, or null when the text is no SKU; `withdrawn` says when and why the card was withdrawn, or is null.
 */
export async function cardNotFound(asked: string, history: Pick<CardHistory, 'withdrawal'>): Promise<SurfaceError> {
  const canonical = readSku(asked)?.canonical ?? null
  const details = (withdrawn: JsonObject | null): JsonObject => ({
    field: 'sku',
    sku: asked.toLowerCase(),
    canonical_sku: canonical,
    form: '<game>-<set>-<number>-<lang>[-<variant>]',
    documented_at: paths.encoding,
    withdrawn
  })
  const withdrawal = canonical === null ? undefined : await history.withdrawal(canonical)
  if (withdrawal === undefined) return notFound('card', asked, details(null))
  return new SurfaceError('NOT_FOUND', sentenceOf(withdrawal), { details: details(withdrawnBody(withdrawal)) })
}
