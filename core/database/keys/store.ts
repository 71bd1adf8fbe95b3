import { digestOf, newKey } from '../../access/access.ts'
import { Type } from '../../canonical/type.ts'
import { closed, Day, Moment, nullable, Text, Texts } from '../../contract/shapes.ts'
import type { DataOf } from '../../manifest/kind.ts'
import type { Database } from '../database.ts'
import { changeKeys, keyByText, markKeyUsed } from './held.ts'
import { keysTable } from './tables.ts'

const shown = {
  prefix: Text,
  name: Text,
  scopes: Texts,
  requests_per_minute: nullable(Type.Integer({ minimum: 1 })),
  created_at: Moment,
  expires_at: nullable(Moment),
  last_used_on: nullable(Day),
  revoked_at: nullable(Moment)
}
const columns = Object.keys(shown)

const ShownKey = closed(shown)
/** A key as it is listed, without what it is looked up by. */
export type ShownKey = DataOf<typeof ShownKey>

const FoundKey = closed({
  id: Text,
  scopes: Texts,
  requests_per_minute: shown.requests_per_minute,
  is_stale: Type.Boolean()
})
type FoundKey = DataOf<typeof FoundKey>

const Id = closed({ id: Text })

/** The three letters in a key that is issued here. */
const tag = 'key'

const prefixForm = new RegExp(`^pantry_${tag}_[\\w-]{8}$`)

/** Tells whether a text is what a key is named by: its first characters, which `list` shows. */
export const isKeyPrefix = (text: string): boolean => prefixForm.test(text)

/** `requestsPerMinute`: another limit than the one of the service. `expiresAt`: when the key ends. */
export type KeyWanted = Readonly<{
  name: string
  scopes: readonly string[]
  requestsPerMinute?: number | undefined
  expiresAt?: Date | undefined
}>

/** Keys are stored as hashes and read from the primary, so that every process refuses a revoked key at once. */
export class KeyStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the text of a new key, which is never shown again, and the key as it is listed. */
  async issue({
    name,
    scopes,
    requestsPerMinute,
    expiresAt
  }: KeyWanted): Promise<Readonly<{ key: string; issued: ShownKey }>> {
    const { knex, rows } = this.#database
    const key = newKey(tag)
    const [issued] = await rows(
      ShownKey,
      knex(keysTable)
        .insert({
          digest: digestOf(key),
          prefix: key.slice(0, `pantry_${tag}_`.length + 8),
          name,
          scopes: [...scopes],
          requests_per_minute: requestsPerMinute ?? null,
          expires_at: expiresAt ?? null
        })
        .returning(columns)
    )
    if (issued === undefined) throw new Error('No key was stored.')
    return { key, issued }
  }

  /** Returns all keys, the newest first. */
  async list(): Promise<readonly ShownKey[]> {
    const { knex, rows } = this.#database
    return await rows(ShownKey, knex(keysTable).select(columns).orderBy('created_at', 'desc').orderBy('prefix'))
  }

  /** Revokes the key with a prefix; false if there is none that is not revoked. */
  async revoke(prefix: string): Promise<boolean> {
    const { knex, rows } = this.#database
    const revoked = await rows(Id, changeKeys(knex, keysTable, { prefix }, { revoked_at: knex.fn.now() }))
    return revoked.length > 0
  }

  /** Finds a key by its text, if it is not revoked and has not ended. */
  async find(text: string): Promise<FoundKey | undefined> {
    const { knex, rows } = this.#database
    const query = keyByText(knex, keysTable, text)
    if (query === undefined) return undefined
    const [found] = await rows(FoundKey, query.select('k.id', 'k.scopes', 'k.requests_per_minute'))
    if (found?.is_stale === true) await markKeyUsed(knex, keysTable, found.id)
    return found
  }
}
