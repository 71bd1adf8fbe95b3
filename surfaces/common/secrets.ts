import { createHmac } from 'node:crypto'
import { closed, newSecret, Text } from 'pantry/data'
import type { Database } from 'pantry/database'

const Secret = closed({ secret: Text })

/**
 * Returns a secret of the service, shared by all processes over one database. The first process to ask stores the value
 * of `propose`. Rejects with `SOURCE_UNAVAILABLE` if the database is unavailable.
 */
export async function secretOf(
  { knex, rows }: Pick<Database, 'knex' | 'rows'>,
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
 * Seals (HMACs), by which the service recognises values it has issued without storing them. A backup has their secrets,
 * but a restore leaves them out, so it invalidates all values issued before.
 */
export class Secrets {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  /** Returns the seal of a text for a purpose (`name`), which nobody else can compute. */
  async sealOf(name: string, text: string): Promise<string> {
    return createHmac('sha256', await secretOf(this.#database, name, newSecret, 'seals'))
      .update(text)
      .digest('base64url')
  }
}
