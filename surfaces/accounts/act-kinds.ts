/**
 * What must be done after a backup from before an act is restored. Without members: nothing, because such a backup only
 * lacks something new.
 */
type ActKind = Readonly<{
  /**
   * SQL that repeats the act, with `:subject`, `:at` and the stored details; returns an `id` for each changed row. It
   * must change nothing if the act is still in effect, since it also runs at every normal start. It therefore compares
   * ids that are used once, or the time of the last change.
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
const cancelled = `status = case when status in ('draft', 'scheduled', 'live') then 'cancelled' else status end, cancelled_by = case when status in ('draft', 'scheduled', 'live') then 'admin' else cancelled_by end`

/** All acts that are recorded, by name. Each entry defines what happens to it when an older backup is restored. */
export const actKinds = {
  'auctions.approve': nothing,
  'auctions.refuse': nothing,
  'auctions.paid': nothing,
  'auctions.received': nothing,
  'auctions.decide': nothing,
  'auctions.edit': nothing,
  'auctions.cancel': {
    again: `update auctions set ${cancelled}, removed_at = case when :removed then coalesce(removed_at, now()) else removed_at end
      where id = :subject and (status in ('draft', 'scheduled', 'live') or (:removed and removed_at is null)) returning id`,
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
    again: `update access_keys set tier = case when array_position(array['free', 'standard', 'partner'], tier) > array_position(array['free', 'standard', 'partner'], :tier) then :tier else tier end, tier_changed_at = :at
      where id = :subject and coalesce(tier_changed_at, '-infinity') < :at returning id`,
    family: 'tier',
    details: ['tier']
  },
  // A confirmed address replaces the previous one, which must not come back.
  'mail.confirm': once(
    'delete from mail_addresses where person = :subject and confirmed_at < :at returning person as id'
  ),
  'mail.remove': once(
    'delete from mail_addresses where person = :subject and confirmed_at < :at returning person as id'
  ),
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

export const actKindOf = (act: string): ActKind | undefined =>
  Object.hasOwn(actKinds, act) ? actKinds[act as ActName] : undefined
