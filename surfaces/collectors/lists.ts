import { closed, Text, Type, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { ListName } from './schemas.ts'

/** A list holds so many cards, and a paste so many lines. */
export const mostCards = 2_000
export const mostLines = 200

const Row = closed({ list: Text, sku: Text, quantity: Type.Integer() })
export type OnList = DataOf<typeof Row>

/** The cards that people have, and those that they look for. */
export class CardLists {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  async of(person: string): Promise<readonly OnList[]> {
    const { knex, rows } = this.#database
    return await rows(
      Row,
      knex('list_cards').select('list', 'sku', 'quantity').where({ person }).orderBy(['list', 'sku'])
    )
  }

  /**
   * Puts cards on a list; one that is there gets the new quantity. Gives back the SKUs that are on it now: as many as
   * the list can hold.
   */
  async put(person: string, list: ListName, cards: ReadonlyMap<string, number>): Promise<ReadonlySet<string>> {
    const { knex, rows } = this.#database
    return await knex.transaction(async transaction => {
      await transaction('people').where({ id: person }).forUpdate().select('id')
      const held = new Set(
        (await rows(Row, transaction('list_cards').select('list', 'sku', 'quantity').where({ person, list }))).map(
          ({ sku }) => sku
        )
      )
      const room = mostCards - held.size
      const fresh = [...cards.keys()].filter(sku => !held.has(sku)).slice(0, room)
      const kept = new Set([...[...cards.keys()].filter(sku => held.has(sku)), ...fresh])
      if (kept.size > 0) {
        await transaction('list_cards')
          .insert([...kept].map(sku => ({ person, list, sku, quantity: cards.get(sku) ?? 1 })))
          .onConflict(['person', 'list', 'sku'])
          .merge(['quantity'])
      }
      return kept
    })
  }

  /** Takes a card off a list, or all of them; how many went. */
  async remove(person: string, list: ListName, sku: string | undefined): Promise<number> {
    return await this.#database
      .knex('list_cards')
      .where({ person, list, ...(sku === undefined ? {} : { sku }) })
      .delete()
  }
}
