import { constants } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closed, Count, isObject, Text, Type, type JsonObject, type JsonValue } from 'pantry/data'
import { dataDirOf, deleteUnrestored, type Knex } from 'pantry/database'
import { isId } from '../common/ids.ts'
import { eraseWords } from './personal-data.ts'
import { RowId, type Store } from '../common/repository.ts'

/** What is done after a backup from before the act is restored. Without members: nothing. */
type ActKind = Readonly<{
  /**
   * SQL that repeats the act, with `:subject`, `:at` and the stored details; returns an `id` for each changed row. It
   * also runs at every normal start, so it changes nothing if the act is still in effect: it compares ids that are used
   * once, or the time of the last change.
   */
  again?: string
  /** Of the acts in one family, only the last counts for a subject: one without `again` reverts the others. */
  family?: string
  /** Details that are written to the journal; they must never contain text of a person. */
  details?: readonly string[]
  /** Whether the actor's id is written to the journal too. */
  actor?: true
}>

const nothing: ActKind = {}
const once = (again: string): ActKind => ({ again })

const lastRole: ActKind = { family: 'role', details: ['role'] }
const removed = 'removed_at = coalesce(removed_at, now())'
const isOpen = "status in ('draft', 'scheduled', 'live')"
const cancelled = `status = case when ${isOpen} then 'cancelled' else status end, cancelled_by = case when ${isOpen} then 'admin' else cancelled_by end`
const addressGone = once(
  'delete from mail_addresses where person = :subject and confirmed_at < :at returning person as id'
)
const tiers = "array['free', 'standard', 'partner']"

export const actKinds = {
  'auctions.approve': nothing,
  'auctions.refuse': nothing,
  'auctions.paid': nothing,
  'auctions.received': nothing,
  'auctions.decide': nothing,
  'auctions.edit': nothing,
  'auctions.cancel': {
    again: `update auctions set ${cancelled}, removed_at = case when :removed then coalesce(removed_at, now()) else removed_at end
      where id = :subject and (${isOpen} or (:removed and removed_at is null)) returning id`,
    details: ['removed']
  },
  'auctions.remove': once(
    `update auctions set ${cancelled}, ${removed} where id = :subject and removed_at is null returning id`
  ),
  'auctions.shipped': nothing,
  'auctions.submit': nothing,
  'dev-seed': nothing,
  'hunt.review': nothing,
  'hunt.turn': nothing,
  'inbox.remove': once('delete from feedback_reports where id = :subject returning id'),
  'inbox.reply': nothing,
  'keys.create': nothing,
  'keys.revoke': once(
    'update access_keys set revoked_at = now() where id = :subject and revoked_at is null returning id'
  ),
  // The scopes are intersected with those of the key, because the backup may have fewer.
  'keys.scopes': {
    again: `update access_keys set scopes = array(select one from unnest(scopes) one where one = any(string_to_array(:scopes, ','))), scopes_changed_at = :at
      where id = :subject and coalesce(scopes_changed_at, '-infinity') < :at returning id`,
    family: 'scopes',
    details: ['scopes']
  },
  'keys.tier': {
    again: `update access_keys set tier = case when array_position(${tiers}, tier) > array_position(${tiers}, :tier) then :tier else tier end, tier_changed_at = :at
      where id = :subject and coalesce(tier_changed_at, '-infinity') < :at returning id`,
    family: 'tier',
    details: ['tier']
  },
  // A confirmed address replaces the previous one, which must not come back.
  'mail.confirm': addressGone,
  'mail.remove': addressGone,
  'market.remove-review': once(
    `update auction_reviews set ${removed} where id = :subject and removed_at is null returning id`
  ),
  'market.resolve': { family: 'signal' },
  'market.signal': {
    again: `insert into fraud_signals (id, person, severity, reason, set_at) select cast(:subject as uuid), id, :severity, 'Set before a backup was restored, which does not know why.', cast(:at as timestamptz) from people
      where id = cast(:person as uuid) and cast(:at as timestamptz) > now() - interval '1 year' on conflict (id) do nothing returning id`,
    family: 'signal',
    details: ['person', 'severity']
  },
  'organisations.approve': nothing,
  // An organisation's text was changed, so the older text of the backup loses its approval.
  'organisations.put': once(
    'update organisations set approved_at = null where person = :subject and approved_at is not null and updated_at < :at returning person as id'
  ),
  'organisations.remove': once(
    'delete from organisations where person = :subject and updated_at < :at returning person as id'
  ),
  'passkeys.add': nothing,
  'passkeys.remove': once('delete from passkeys where id = :subject returning id'),
  'people.add': nothing,
  'people.code': nothing,
  'people.invite': nothing,
  'people.leave': once('delete from people where id = :subject returning id'),
  'people.resume': { family: 'suspension' },
  'people.role.give': lastRole,
  'people.role.take': {
    ...lastRole,
    again:
      "update people set roles = array_remove(roles, :role), roles_changed_at = :at where id = :subject and coalesce(roles_changed_at, '-infinity') < :at returning id"
  },
  'people.sign-up': nothing,
  'people.suspend': {
    again:
      "update people set suspended_at = coalesce(suspended_at, now()), suspension_changed_at = :at where id = :subject and coalesce(suspension_changed_at, '-infinity') < :at returning id",
    family: 'suspension'
  },
  'receipts.give': nothing,
  // Also withdraws an earlier receipt of the same scope, which was replaced by one that the backup does not have.
  'receipts.withdraw': {
    again: `update publication_receipts set withdrawn_at = now() where withdrawn_at is null
      and (id = :subject or (cast(person as text) = :actor and scope = :scope and given_at < :at)) returning id`,
    details: ['scope'],
    actor: true
  },
  'reports.add': nothing,
  'reports.keep': nothing,
  // The reported content is removed by a separate act.
  'reports.remove': nothing
} as const satisfies Readonly<Record<string, ActKind>>

export type ActName = keyof typeof actKinds

const actKindOf = (act: string): ActKind | undefined =>
  Object.hasOwn(actKinds, act) ? actKinds[act as ActName] : undefined

export const operator = 'operator'

/** Who did something, and why, if they said so. */
export type By = Readonly<{ actor?: string; reason?: string | undefined }>

/** Returns the details of an act that has a reason. */
export const because = (reason: string | undefined): JsonObject => (reason === undefined ? {} : { reason })

/**
 * Records an act in the transaction that performs it, and in the journal if a restored backup must not undo it. `actor`
 * is the id of a person or of a key, or `operator`; `details` contain no secrets and no names of people.
 */
export async function recordAct(
  knex: Knex,
  actor: string,
  act: ActName,
  subject: string,
  details: JsonObject = {}
): Promise<void> {
  const [noted] = await knex('account_acts')
    .insert({ actor, act, subject, details: JSON.stringify(details) })
    .returning<{ at: string }[]>('at')
  if (noted === undefined) throw new Error('No act was written down.')
  await appendToJournal(knex, act, subject, noted.at, { ...details, actor })
}

/**
 * Runs a statement that returns the `id` of each row that it changes, and records the act on each. Returns the first
 * id; undefined if no row was changed.
 */
export const changeAndRecord = async (
  { knex, rows }: Store,
  actor: string,
  act: ActName,
  change: (transaction: Knex.Transaction) => PromiseLike<unknown>,
  details: JsonObject = {}
): Promise<string | undefined> =>
  await knex.transaction(async transaction => {
    const changed = await rows(RowId, change(transaction))
    for (const { id } of changed) await recordAct(transaction, actor, act, id, details)
    return changed[0]?.id
  })

export const Act = closed({
  id: Count,
  at: Text,
  actor: Text,
  act: Text,
  subject: Text,
  details: Type.Record(Text, Type.Unknown())
})

export const lastActs = async ({ knex, rows }: Store, limit: number) =>
  await rows(Act, knex('account_acts').select(Object.keys(Act.properties)).orderBy('id', 'desc').limit(limit))

type JournalEntry = Readonly<{
  at: string
  act: string
  subject: string
  details: Readonly<Record<string, string | boolean>>
}>

/** Matches a detail that may be in the journal: words of the service or ids, with commas between them. */
const plainWord = /^[\w.,-]{0,200}$/

const fileIn = (dataDir: string): string => join(dataDir, 'journal', 'endings.ndjson')

/** Returns the details of an act that the journal has; undefined if one is missing or contains other characters. */
function detailsOf(act: string, values: JsonObject): JournalEntry['details'] | undefined {
  const { details = [], actor } = actKindOf(act) ?? {}
  const found: [string, string | boolean][] = []
  for (const name of [...details, ...(actor === true ? ['actor'] : [])]) {
    const value = values[name]
    const text = Array.isArray(value) ? value.join(',') : value
    if (typeof text !== 'boolean' && (typeof text !== 'string' || !plainWord.test(text))) return undefined
    found.push([name, text])
  }
  return Object.fromEntries(found)
}

function parseEntry(line: string): JournalEntry | undefined {
  try {
    const entry = JSON.parse(line) as JsonValue
    if (!isObject(entry)) return undefined
    const { act, subject, at } = entry
    if (
      typeof act !== 'string' ||
      actKindOf(act) === undefined ||
      typeof subject !== 'string' ||
      !isId(subject) ||
      typeof at !== 'string' ||
      Number.isNaN(Date.parse(at))
    )
      return undefined
    // Older versions wrote entries without `actor` and `scope`.
    const details = detailsOf(act, { actor: '', scope: '', ...entry })
    return details === undefined ? undefined : { at, act, subject, details }
  } catch {
    // An incomplete last line, from a process that was killed while it wrote; its act was not committed.
    return undefined
  }
}

/**
 * Writes an act that ends something, or reverts such an act, to a file in the data folder, outside of the database, so
 * that a restored backup does not undo it. The line is synced to disk before the act is committed. Writes nothing for
 * other acts, and if there is no data folder.
 */
export async function appendToJournal(
  knex: Knex,
  act: string,
  subject: string,
  at: string,
  values: JsonObject
): Promise<void> {
  const [kind, dataDir] = [actKindOf(act), dataDirOf(knex)]
  if (dataDir === '' || (kind?.again === undefined && kind?.family === undefined)) return
  const details = detailsOf(act, values)
  if (details === undefined) throw new Error(`The act ${act} lacks a detail that the journal keeps.`)
  const file = fileIn(dataDir)
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  const handle = await open(
    file,
    constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600
  )
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    // A process that was killed while it wrote may have left an incomplete line.
    const start = size === 0 || buffer.toString() === '\n' ? '' : '\n'
    await handle.writeFile(`${start}${JSON.stringify({ at, act, subject, ...details })}\n`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Sorts entries by time. Of each family keeps only the last for a subject (and role), at the place of the first. */
function lastOfFamilies(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const kept = new Map<string, JournalEntry>()
  for (const [index, entry] of entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).entries()) {
    const { family } = actKindOf(entry.act) ?? {}
    kept.set(
      family === undefined ? String(index) : `${family} ${entry.subject} ${String(entry.details['role'] ?? '')}`,
      entry
    )
  }
  return [...kept.values()]
}

/**
 * Repeats the acts of the journal that a restored backup has undone, and returns the number of changed rows. If there
 * are any, also deletes the rows that a restore must not bring back.
 */
export async function replayJournal({ knex, rows }: Store, dataDir: string): Promise<number> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  })
  const entries = lastOfFamilies(text.split('\n').flatMap(line => parseEntry(line) ?? []))
  return await knex.transaction(async transaction => {
    let ended = 0
    for (const { act, subject, at, details } of entries) {
      const { again } = actKindOf(act) ?? {}
      if (act === 'people.leave') await eraseWords(transaction, subject)
      if (again !== undefined) ended += (await rows(RowId, transaction.raw(again, { subject, at, ...details }))).length
    }
    if (ended > 0) await deleteUnrestored(transaction)
    return ended
  })
}
