import { closed, digestOf, keyTag, newKey, nullable, Text, Texts, Type, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { conflict } from '../errors.ts'
import { noteAct, operator } from './acts.ts'

/** Requests per minute, by the tier of a key. */
export const tiers = { free: 30, standard: 120, partner: 600 } as const
export type Tier = keyof typeof tiers
export const tierNames = Object.keys(tiers) as readonly Tier[]

/** Requests per minute of a session. */
export const sessionLimit = 600

/** Requests per minute of a person, over all of their sessions and keys. */
export const personLimit = 2 * sessionLimit

/** The window of all these limits, in seconds. */
export const windowSeconds = 60

/** The prefix of a key by its kind. */
const tags = { agent: 'agt', wholesale: 'whl' } as const
export type KeyKind = keyof typeof tags
export const keyKinds = Object.keys(tags) as readonly KeyKind[]

/** The scopes of a key. `hunt` permits contributions to the Coverage Hunt and is granted by an admin. */
export const scopes = ['read', 'hunt'] as const
export type KeyScope = (typeof scopes)[number]

const TierName = Type.Enum(tierNames)

const own = {
  id: Text,
  kind: Type.Enum(keyKinds),
  origin: Type.Enum(['operator-managed', 'self-serve']),
  name: Text,
  contact: Text,
  tier: TierName,
  scopes: Texts,
  created_at: Text,
  expires_at: nullable(Text),
  last_used_on: nullable(Text),
  revoked_at: nullable(Text)
}
const columns = Object.keys(own)

/** The schema of a key as its owner sees it, without its text. */
export const OwnKey = closed(own)
export type OwnKey = DataOf<typeof OwnKey>

/** The schema of a key as the operator sees it, with its owner. */
export const Key = closed({ ...own, person: nullable(Text) })
export type Key = DataOf<typeof Key>

const Found = closed({
  id: Text,
  person: nullable(Text),
  kind: Type.Enum(keyKinds),
  tier: TierName,
  scopes: Texts,
  is_stale: Type.Boolean()
})

/** SQL for the effective scopes: a key that is not operator-managed only has `read`, whatever is stored. */
const grantsOf = "case k.origin when 'operator-managed' then k.scopes else array['read'] end as scopes"

/** The maximum number of active keys of a person; together they have the limit of one session. */
export const mostKeys = 20

/** The properties of a new key. `person` is undefined for a key of the operator. */
type KeyAsked = Readonly<{
  kind: KeyKind
  name: string
  contact: string
  tier?: Tier
  scopes?: readonly KeyScope[]
  days?: number | undefined
  person?: string
}>

/**
 * API keys, stored as hashes and read from the primary only, so that every process refuses a revoked key from the next
 * request on.
 */
export class Keys {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  /**
   * Creates a key and returns its text, which is never shown again; 409 if the person has the maximum number of keys.
   */
  async create(
    { kind, name, contact, tier = 'free', scopes: given = ['read'], days, person }: KeyAsked,
    actor = operator
  ): Promise<Readonly<{ key: string; made: OwnKey }>> {
    const key = newKey(tags[kind])
    const { knex, rows } = this.#database
    return await knex.transaction(async transaction => {
      if (person !== undefined) await this.#keepLimit(transaction, person)
      const [made] = await rows(
        OwnKey,
        transaction('access_keys')
          .insert({
            digest: digestOf(key),
            kind,
            origin: 'operator-managed',
            person: person ?? null,
            name,
            contact,
            tier,
            scopes: [...given],
            expires_at: days === undefined ? null : transaction.raw("now() + ? * interval '1 day'", [days])
          })
          .returning(columns)
      )
      if (made === undefined) throw new Error('No key was stored.')
      await noteAct(transaction, actor, 'keys.create', made.id, { kind, tier, scopes: [...given] })
      return { key, made }
    })
  }

  async #keepLimit(transaction: Knex.Transaction, person: string): Promise<void> {
    await transaction('people').where({ id: person }).forUpdate().select('id')
    const held = await this.#database.rows(
      closed({ id: Text }),
      transaction('access_keys')
        .select('id')
        .where({ person })
        .whereNull('revoked_at')
        .whereRaw('(expires_at is null or expires_at > now())')
        .limit(mostKeys)
    )
    if (held.length >= mostKeys)
      throw conflict(`You have ${mostKeys} keys that hold. Please revoke one that you no longer use.`, {
        most: mostKeys
      })
  }

  /**
   * Finds a key by its text, while it is valid and its person is not suspended. A text that does not have the form of a
   * key is not looked up.
   */
  async find(text: string): Promise<DataOf<typeof Found> | undefined> {
    if (keyTag(text) === undefined) return undefined
    const { knex, rows } = this.#database
    const [found] = await rows(
      Found,
      knex('access_keys as k')
        .leftJoin('people as p', 'p.id', 'k.person')
        .select(
          'k.id',
          'k.person',
          'k.kind',
          'k.tier',
          knex.raw(grantsOf),
          knex.raw('k.last_used_on is distinct from current_date as is_stale')
        )
        .where('k.digest', digestOf(text))
        .whereNull('k.revoked_at')
        .whereNull('p.suspended_at')
        .whereRaw('(k.expires_at is null or k.expires_at > now())')
    )
    if (found?.is_stale === true)
      await knex('access_keys')
        .where({ id: found.id })
        .update({ last_used_on: knex.raw('current_date') })
    return found
  }

  /** Returns all keys, the newest first. */
  async all(): Promise<readonly Key[]> {
    const { knex, rows } = this.#database
    return await rows(
      Key,
      knex('access_keys')
        .select([...columns, 'person'])
        .orderBy('created_at', 'desc')
        .orderBy('id')
    )
  }

  /** Returns the keys of one person. */
  async of(person: string): Promise<readonly OwnKey[]> {
    const { knex, rows } = this.#database
    return await rows(
      OwnKey,
      knex('access_keys').select(columns).where({ person }).orderBy('created_at', 'desc').orderBy('id')
    )
  }

  /** Revokes a key, only of one person if `person` is given; false if there is none. */
  async revoke(
    id: string,
    { person, actor = operator }: Readonly<{ person?: string; actor?: string }> = {}
  ): Promise<boolean> {
    return await this.#change(id, person, { revoked_at: this.#database.knex.fn.now() }, actor, 'keys.revoke', {})
  }

  async setTier(id: string, tier: Tier, actor = operator): Promise<boolean> {
    return await this.#change(
      id,
      undefined,
      { tier, tier_changed_at: this.#database.knex.fn.now() },
      actor,
      'keys.tier',
      { tier }
    )
  }

  async setScopes(id: string, given: readonly KeyScope[], actor = operator): Promise<boolean> {
    return await this.#change(
      id,
      undefined,
      { scopes: [...given], scopes_changed_at: this.#database.knex.fn.now() },
      actor,
      'keys.scopes',
      { scopes: [...given] }
    )
  }

  async #change(
    id: string,
    person: string | undefined,
    change: object,
    actor: string,
    act: 'keys.revoke' | 'keys.tier' | 'keys.scopes',
    details: Readonly<Record<string, string | string[]>>
  ): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const changed = await transaction('access_keys')
        .where(person === undefined ? { id } : { id, person })
        .whereNull('revoked_at')
        .update(change)
      if (changed > 0) await noteAct(transaction, actor, act, id, details)
      return changed > 0
    })
  }
}
