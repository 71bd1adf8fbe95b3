import { closed, Text, Type, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { ListName } from './schemas.ts'

/** The maximum number of cards on a list, and of lines in a paste. */
export const mostCards = 2_000
export const mostLines = 200

const Row = closed({ list: Text, sku: Text, quantity: Type.Integer() })
export type OnList = DataOf<typeof Row>

/** The lists of cards that people have and that they look for. */
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
   * Puts cards on a list; a card that is already on it gets the new quantity. Returns the given SKUs that are on the
   * list now, which can be fewer if the list is full.
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

  /** Removes a card from a list, or all cards; returns the number of removed cards. */
  async remove(person: string, list: ListName, sku: string | undefined): Promise<number> {
    return await this.#database
      .knex('list_cards')
      .where({ person, list, ...(sku === undefined ? {} : { sku }) })
      .delete()
  }
}
