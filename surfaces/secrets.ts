import { createHmac } from 'node:crypto'
import { closed, newSecret, Text } from 'pantry/data'
import type { Database } from 'pantry/database'

const Secret = closed({ secret: Text })

/**
 * A secret of the service, the same for all processes over one database: whoever asks first puts the one that `propose`
 * gives there. Rejects with `SOURCE_UNAVAILABLE` while the database is away.
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
 * Seals, by which the service knows again what it gave out and keeps nothing of it. A restored backup has none of their
 * secrets: what was given out before holds no longer.
 */
export class Secrets {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  /** What shows that a text is from here, and for what: nobody else can make it. */
  async sealOf(name: string, text: string): Promise<string> {
    return createHmac('sha256', await secretOf(this.#database, name, newSecret, 'seals'))
      .update(text)
      .digest('base64url')
  }
}
