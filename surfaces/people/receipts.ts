import { closed, nullable, Text, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import { noteAct } from './acts.ts'

/**
 * Version of the privacy notice that receipts refer to: the date from which it is valid. Must be the newest entry of
 * the corpus `privacy`, which a test checks.
 */
export const noticeVersion = '2026-11-24'

/** The scopes that a person may agree to have published, with what each means. */
export const publications = {
  profile: 'Your username and what you say of yourself can be found by everyone.',
  'have-list':
    'The cards that you have can be compared with the lists of others. Who asks often enough can work out the whole list: it is as good as public.',
  'want-list':
    'The cards that you look for can be compared with the lists of others. Who asks often enough can work out the whole list: it is as good as public.',
  language: 'The languages that you read are shown with your profile.',
  region: 'The region that you name is shown with your profile.',
  organisation:
    'The collective that you speak for is listed in the directory of organisations, as you wrote it, once the operator has approved it.'
} as const
export type Publication = keyof typeof publications
export const publicationNames = Object.keys(publications) as readonly Publication[]

/** A receipt: a consent to publish a scope, under a version of the notice, with its time and when it ended. */
export const AccountReceipt = closed({
  id: Text,
  scope: Text,
  notice_version: Text,
  given_at: Text,
  withdrawn_at: nullable(Text)
})
export type AccountReceipt = DataOf<typeof AccountReceipt>

const columns = ['id', 'scope', 'notice_version', 'given_at', 'withdrawn_at']

/** Publication receipts: nothing personal is public without a current one. */
export class Receipts {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  async of(person: string): Promise<readonly AccountReceipt[]> {
    const { knex, rows } = this.#database
    return await rows(
      AccountReceipt,
      knex('publication_receipts').select(columns).where({ person }).orderBy('given_at', 'desc').orderBy('id')
    )
  }

  /**
   * Gives a receipt, or returns the current one of the same scope and version. A new version ends the previous receipt.
   */
  async give(person: string, scope: Publication, version: string): Promise<AccountReceipt> {
    const { knex, rows } = this.#database
    return await knex.transaction(async transaction => {
      await transaction('people').where({ id: person }).forUpdate().select('id')
      const [current] = await rows(
        AccountReceipt,
        transaction('publication_receipts').select(columns).where({ person, scope }).whereNull('withdrawn_at')
      )
      if (current?.notice_version === version) return current
      await transaction('publication_receipts')
        .where({ person, scope })
        .whereNull('withdrawn_at')
        .update({ withdrawn_at: transaction.fn.now() })
      const [given] = await rows(
        AccountReceipt,
        transaction('publication_receipts').insert({ person, scope, notice_version: version }).returning(columns)
      )
      if (given === undefined) throw new Error('No receipt was stored.')
      await noteAct(transaction, person, 'receipts.give', given.id, { scope, notice_version: version })
      return given
    })
  }

  /** Ends the publication of a scope at once; false if it was not published. */
  async withdraw(person: string, scope: Publication): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const ended = await this.#database.rows(
        AccountReceipt,
        transaction('publication_receipts')
          .where({ person, scope })
          .whereNull('withdrawn_at')
          .update({ withdrawn_at: transaction.fn.now() })
          .returning(columns)
      )
      for (const { id } of ended) await noteAct(transaction, person, 'receipts.withdraw', id, { scope })
      return ended.length > 0
    })
  }
}
