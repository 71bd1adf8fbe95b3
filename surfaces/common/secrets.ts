import { createHmac } from 'node:crypto'
import { closed, newSecret, Text } from 'pantry/data'
import type { Store } from './repository.ts'

const Secret = closed({ secret: Text })

/**
 * Returns the secret of a name, which all processes over one database share. The first process that asks for it stores
 * the value of `propose`. Rejects with `SOURCE_UNAVAILABLE` if the database is unavailable.
 */
export async function secretOf(
  { knex, rows }: Store,
  name: string,
  propose: () => string,
  table: 'secrets' | 'seals' = 'secrets'
): Promise<string> {
  const find = async (): Promise<string | undefined> =>
    (await rows(Secret, knex(table).select('secret').where({ name })))[0]?.secret
  const known = await find()
  if (known !== undefined) return known
  await knex(table).insert({ name, secret: propose() }).onConflict('name').ignore()
  const made = await find()
  if (made === undefined) throw new Error(`There is no secret for ${name}.`)
  return made
}

/**
 * Seals (HMACs), by which the service recognises values it has issued without storing them. A backup contains their
 * secrets, but a restore leaves these out, so all values issued before it become invalid.
 */
export class Secrets {
  readonly #database: Store

  constructor(database: Store) {
    this.#database = database
  }

  /** Returns the seal of a text for the purpose `name`; without the secret nobody can compute it. */
  async sealOf(name: string, text: string): Promise<string> {
    return createHmac('sha256', await secretOf(this.#database, name, newSecret, 'seals'))
      .update(text)
      .digest('base64url')
  }
}
