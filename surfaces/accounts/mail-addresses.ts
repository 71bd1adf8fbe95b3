import { closed, digestOf, invalid, newSecret, SurfaceError, Text, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { noteAct, operator } from './acts.ts'

const invitationDays = 7

/** The schema of a mail address as its owner sees it. */
export const MailAddress = closed({ address: Text, confirmed_at: Text })

/** Takes a lock that makes transactions on mail addresses and mailed codes run one after another. */
export const lockMail = async (transaction: Knex.Transaction): Promise<void> => {
  await transaction.raw("select pg_advisory_xact_lock(hashtext('pantry mail'))")
}

const Id = closed({ id: Text })

type Newcomer = Readonly<{ username: string; address: string; terms: string; invitation: string | undefined }>

/** Confirmed mail addresses of people, and accounts that are created with one. */
export class MailAddresses {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  async of(person: string): Promise<DataOf<typeof MailAddress> | undefined> {
    const { knex, rows } = this.#database
    return (await rows(MailAddress, knex('mail_addresses').select('address', 'confirmed_at').where({ person })))[0]
  }

  /** Stores the confirmed address of a person; false if it belongs to somebody else. */
  async keep(transaction: Knex.Transaction, person: string, address: string): Promise<boolean> {
    await lockMail(transaction)
    const kept = await this.#database.rows(
      closed({ person: Text }),
      transaction.raw(
        `
      insert into mail_addresses (person, address) select ?::uuid, ? where not exists (select from mail_addresses where address = ? and person <> ?::uuid)
      on conflict (person) do update set address = excluded.address, confirmed_at = now() returning person`,
        [person, address, address, person]
      )
    )
    if (kept.length > 0) await noteAct(transaction, person, 'mail.confirm', person)
    return kept.length > 0
  }

  /** Deletes the address of a person; false if there is none. */
  async remove(person: string): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const removed = await transaction('mail_addresses').where({ person }).delete()
      if (removed > 0) await noteAct(transaction, person, 'mail.remove', person)
      return removed > 0
    })
  }

  /**
   * Creates an account with a confirmed address and returns the person's id. 400 if the name or the address was taken
   * meanwhile, 403 if the invitation is not valid.
   */
  async signUp(transaction: Knex.Transaction, { username, address, terms, invitation }: Newcomer): Promise<string> {
    const { rows } = this.#database
    if (
      invitation !== undefined &&
      (await transaction('invitations')
        .where({ digest: digestOf(invitation) })
        .whereRaw('expires_at > now()')
        .delete()) === 0
    )
      throw notInvited()
    const [added] = await rows(
      Id,
      transaction('people').insert({ username, roles: [] }).onConflict('username').ignore().returning(['id'])
    )
    if (added === undefined) throw invalid('username', `The name \`${username}\` is taken.`)
    const kept = await rows(
      closed({ person: Text }),
      transaction('mail_addresses')
        .insert({ person: added.id, address })
        .onConflict('address')
        .ignore()
        .returning(['person'])
    )
    if (kept.length === 0) throw invalid('code', 'This address has an account by now. Please sign in to it.')
    await noteAct(transaction, added.id, 'people.sign-up', added.id, { terms_version: terms })
    return added.id
  }

  /** Creates an invitation for one person. Its text is returned only here. */
  async invite(actor = operator): Promise<Readonly<{ invitation: string; days: number }>> {
    const invitation = newSecret()
    await this.#database.knex.transaction(async transaction => {
      await transaction('invitations').insert({
        digest: digestOf(invitation),
        expires_at: transaction.raw("now() + ? * interval '1 day'", [invitationDays])
      })
      await noteAct(transaction, actor, 'people.invite', 'nobody')
    })
    return { invitation, days: invitationDays }
  }

  /** Whether an invitation is valid. */
  async isInvited(invitation: string): Promise<boolean> {
    const { knex, rows } = this.#database
    return (
      (
        await rows(
          closed({ digest: Text }),
          knex('invitations')
            .select('digest')
            .where({ digest: digestOf(invitation) })
            .whereRaw('expires_at > now()')
        )
      ).length > 0
    )
  }
}

export const notInvited = (): SurfaceError =>
  new SurfaceError(
    'FORBIDDEN',
    'A new account needs an invitation that holds: the operator gives one, for one person and seven days.'
  )
