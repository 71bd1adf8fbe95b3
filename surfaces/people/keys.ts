import { closed, digestOf, newKey, nullable, Text, Texts, Type, type DataOf, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { changeKeys, keyByText, markKeyUsed, onlyHolding } from 'pantry/keys'
import { conflict } from '../common/errors.ts'
import { because, changeAndRecord, operator, recordAct, type By } from './acts.ts'
import { lockPerson, Repository, RowId } from '../common/repository.ts'

/** Requests per minute, by the tier of a key. */
export const tiers = { free: 30, standard: 120, partner: 600 } as const
export type Tier = keyof typeof tiers
export const tierNames = Object.keys(tiers) as readonly Tier[]

/** Requests per minute of a session. */
export const sessionLimit = 600

/** Requests per minute of a person, over all of their sessions and keys. */
export const personLimit = 2 * sessionLimit

export const windowSeconds = 60

const tags = { agent: 'agt', wholesale: 'whl' } as const
export type KeyKind = keyof typeof tags
export const keyKinds = Object.keys(tags) as readonly KeyKind[]

/** The scopes of a key. `hunt` permits contributions to the Coverage Hunt and is granted by an admin. */
export const scopes = ['read', 'hunt'] as const
export type KeyScope = (typeof scopes)[number]

const own = {
  id: Text,
  kind: Type.Enum(keyKinds),
  origin: Type.Enum(['operator-managed', 'self-serve']),
  name: Text,
  contact: Text,
  tier: Type.Enum(tierNames),
  scopes: Texts,
  created_at: Text,
  expires_at: nullable(Text),
  last_used_on: nullable(Text),
  revoked_at: nullable(Text)
}
const columns = Object.keys(own)

export const OwnKey = closed(own)
export type OwnKey = DataOf<typeof OwnKey>

export const Key = closed({ ...own, person: nullable(Text) })
export type Key = DataOf<typeof Key>

const ValidKey = closed({
  id: Text,
  person: nullable(Text),
  kind: own.kind,
  tier: own.tier,
  scopes: Texts,
  is_stale: Type.Boolean()
})

const keysTable = 'access_keys'

/** SQL for the effective scopes: a key that is not operator-managed only has `read`, whatever is stored. */
const effectiveScopes = "case k.origin when 'operator-managed' then k.scopes else array['read'] end as scopes"

/** The maximum number of active keys of a person: those of tier `free` together have the limit of one session. */
export const maxKeys = 20

type NewKeyOptions = Readonly<{
  kind: KeyKind
  name: string
  contact: string
  tier?: Tier
  scopes?: readonly KeyScope[]
  days?: number | undefined
  person?: string
}>

/** Keys are stored as hashes and read from the primary, so that every process refuses a revoked key at once. */
export class Keys extends Repository {
  /** Returns the text of the key, which is never shown again; 409 if the person has the maximum number of keys. */
  async create(
    { kind, name, contact, tier = 'free', scopes = ['read'], days, person }: NewKeyOptions,
    actor = operator
  ): Promise<Readonly<{ key: string; made: OwnKey }>> {
    const key = newKey(tags[kind])
    return await this.knex.transaction(async transaction => {
      if (person !== undefined) await this.#keepLimit(transaction, person)
      const made = await this.first(
        OwnKey,
        transaction(keysTable)
          .insert({
            digest: digestOf(key),
            kind,
            origin: 'operator-managed',
            person: person ?? null,
            name,
            contact,
            tier,
            scopes: [...scopes],
            expires_at: days === undefined ? null : transaction.raw("now() + ? * interval '1 day'", [days])
          })
          .returning(columns)
      )
      if (made === undefined) throw new Error('No key was stored.')
      await recordAct(transaction, actor, 'keys.create', made.id, { kind, tier, scopes: [...scopes] })
      return { key, made }
    })
  }

  async #keepLimit(transaction: Knex.Transaction, person: string): Promise<void> {
    await lockPerson(transaction, person)
    const active = await this.rows(
      RowId,
      onlyHolding(transaction(`${keysTable} as k`).select('k.id').where({ person })).limit(maxKeys)
    )
    if (active.length >= maxKeys)
      throw conflict(`You have ${maxKeys} keys that hold. Please revoke one that you no longer use.`, { most: maxKeys })
  }

  /** Finds a valid key whose person is not suspended. A text that does not have the form of a key is not looked up. */
  async find(text: string): Promise<DataOf<typeof ValidKey> | undefined> {
    const query = keyByText(this.knex, keysTable, text)
    if (query === undefined) return undefined
    const found = await this.first(
      ValidKey,
      query
        .leftJoin('people as p', 'p.id', 'k.person')
        .select('k.id', 'k.person', 'k.kind', 'k.tier', this.knex.raw(effectiveScopes))
        .whereNull('p.suspended_at')
    )
    if (found?.is_stale === true) await markKeyUsed(this.knex, keysTable, found.id)
    return found
  }

  async all(): Promise<readonly Key[]> {
    return await this.rows(
      Key,
      this.knex(keysTable)
        .select([...columns, 'person'])
        .orderBy('created_at', 'desc')
        .orderBy('id')
    )
  }

  async of(person: string): Promise<readonly OwnKey[]> {
    return await this.rows(
      OwnKey,
      this.knex(keysTable).select(columns).where({ person }).orderBy('created_at', 'desc').orderBy('id')
    )
  }

  /** Revokes a key, only one of `person` if that is given; false if there is none that is not revoked. */
  async revoke(
    id: string,
    { person, actor = operator, reason }: By & Readonly<{ person?: string }> = {}
  ): Promise<boolean> {
    const key = person === undefined ? { id } : { id, person }
    return await this.#change(key, { revoked_at: this.knex.fn.now() }, actor, 'keys.revoke', because(reason))
  }

  async setTier(id: string, tier: Tier, actor = operator): Promise<boolean> {
    return await this.#change({ id }, { tier, tier_changed_at: this.knex.fn.now() }, actor, 'keys.tier', { tier })
  }

  async setScopes(id: string, given: readonly KeyScope[], actor = operator): Promise<boolean> {
    const scopes = [...given]
    const change = { scopes, scopes_changed_at: this.knex.fn.now() }
    return await this.#change({ id }, change, actor, 'keys.scopes', { scopes })
  }

  async #change(
    key: Readonly<{ id: string; person?: string }>,
    change: object,
    actor: string,
    act: 'keys.revoke' | 'keys.tier' | 'keys.scopes',
    details?: JsonObject
  ): Promise<boolean> {
    const update = (transaction: Knex.Transaction) => changeKeys(transaction, keysTable, key, change)
    return (await changeAndRecord(this.store, actor, act, update, details)) !== undefined
  }
}
