import { closed, nullable, Text, type DataOf } from 'pantry/data'
import { recordAct, changeAndRecord } from './acts.ts'
import { lockPerson, Repository } from '../common/repository.ts'

/** Version of the privacy notice that receipts refer to: the newest entry of the corpus `privacy`. */
export const noticeVersion = '2026-11-24'

const compared =
  'can be compared with the lists of others. Who asks often enough can work out the whole list: it is as good as public.'

/** The scopes that a person may agree to have published, with what each means. */
export const publications = {
  profile: 'Your username and what you say of yourself can be found by everyone.',
  'have-list': `The cards that you have ${compared}`,
  'want-list': `The cards that you look for ${compared}`,
  language: 'The languages that you read are shown with your profile.',
  region: 'The region that you name is shown with your profile.',
  organisation:
    'The collective that you speak for is listed in the directory of organisations, as you wrote it, once the operator has approved it.'
} as const
export type Publication = keyof typeof publications
export const publicationNames = Object.keys(publications) as readonly Publication[]

export const AccountReceipt = closed({
  id: Text,
  scope: Text,
  notice_version: Text,
  given_at: Text,
  withdrawn_at: nullable(Text)
})
export type AccountReceipt = DataOf<typeof AccountReceipt>

const columns = Object.keys(AccountReceipt.properties)

/** Publication receipts: nothing personal is public without a current one. */
export class Receipts extends Repository {
  async of(person: string): Promise<readonly AccountReceipt[]> {
    return await this.rows(
      AccountReceipt,
      this.knex('publication_receipts').select(columns).where({ person }).orderBy('given_at', 'desc').orderBy('id')
    )
  }

  /**
   * Stores a receipt, or returns the current one of the same scope and version. A new version ends the previous
   * receipt.
   */
  async give(person: string, scope: Publication, version: string): Promise<AccountReceipt> {
    return await this.knex.transaction(async transaction => {
      await lockPerson(transaction, person)
      const current = transaction('publication_receipts').where({ person, scope }).whereNull('withdrawn_at')
      const found = await this.first(AccountReceipt, current.clone().select(columns))
      if (found?.notice_version === version) return found
      await current.update({ withdrawn_at: transaction.fn.now() })
      const given = await this.first(
        AccountReceipt,
        transaction('publication_receipts').insert({ person, scope, notice_version: version }).returning(columns)
      )
      if (given === undefined) throw new Error('No receipt was stored.')
      await recordAct(transaction, person, 'receipts.give', given.id, { scope, notice_version: version })
      return given
    })
  }

  /** Ends the current receipt of a scope; false if there is none. */
  async withdraw(person: string, scope: Publication): Promise<boolean> {
    const ended = await changeAndRecord(
      this.store,
      person,
      'receipts.withdraw',
      transaction =>
        transaction('publication_receipts')
          .where({ person, scope })
          .whereNull('withdrawn_at')
          .update({ withdrawn_at: transaction.fn.now() })
          .returning('id'),
      { scope }
    )
    return ended !== undefined
  }
}
