import { closed, digestOf, isSame, newSecret, nullable, RateLimited, Text, type DataOf } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { countTry, maxSignUpsPerHour, type ClientIdentity } from './limits.ts'
import { lockMail, type Mail } from './mail.ts'
import { Repository, type Store } from '../common/repository.ts'
import { codeAttempts, codeMinutes, newCode, normaliseCode, type Browsers } from './sign-in.ts'

/**
 * The maximum number of codes per address in an hour, and how many of them one requester may use, so that nobody uses
 * up all. One more is reserved for a browser in which the person has signed in.
 */
const maxCodesPerHour = 3
const maxPerRequester = 2

type Purpose = 'sign-in' | 'sign-up' | 'address'

const SentCode = closed({ address: Text, purpose: Text })
const RecipientRow = closed({ person: nullable(Text) })
const TriedCode = closed({ person: nullable(Text), address: Text, purpose: Text, digest: Text })

/** The digest to compare with if there is no code. */
const dummyDigest = digestOf('nobody')

/** In practice, letter case does not distinguish mailboxes. */
const normaliseAddress = (address: string): string => address.trim().toLowerCase()

/**
 * The recipient of a code: SQL that returns `person`, `address` and `purpose` in at most one row, and its parameters.
 */
type Recipient = Readonly<{ sql: string; values: readonly string[] }>

/** Who requests a code: a person or client, and whether the recipient has signed in with this browser. */
type Requester = Readonly<{ who: string; isKnown: boolean }>

/**
 * Codes sent by mail. The requester gets the secret of the request, without which the code does not work, so that it is
 * useless in another browser. The response is the same whether a code was sent or not.
 */
export class MailedCodes extends Repository {
  readonly #mail: Mail
  readonly #name: string
  readonly #browsers: Browsers

  /** `name` is the name of the service, for the texts of messages. */
  constructor(store: Store, mail: Mail, name: string, browsers: Browsers) {
    super(store)
    this.#mail = mail
    this.#name = name
    this.#browsers = browsers
  }

  async forName(username: string, asking: ClientIdentity): Promise<string> {
    const recipient = {
      sql: "select p.id, m.address, 'sign-in' from people p join mail_addresses m on m.person = p.id where p.username = ? and p.suspended_at is null",
      values: [username.trim().toLowerCase()]
    }
    return await this.#ask(recipient, await this.#requester(recipient, asking))
  }

  /** Finds out who requests a code. Runs before the transaction, so that its locks are held for a shorter time. */
  async #requester({ sql, values }: Recipient, { caller, callerHash }: ClientIdentity): Promise<Requester> {
    const found = await this.first(
      RecipientRow,
      this.knex.raw(`select r.person from (${sql}) r (person, address, purpose)`, [...values])
    )
    return { who: callerHash, isKnown: await this.#browsers.isKnown(caller, found?.person ?? '') }
  }

  /**
   * Sends a code for a new account. If the address already has an account, the code signs in to it. 429 if all clients
   * together requested too many, except for the first request of a client (`isFirst`).
   */
  async forNewcomer(address: string, asking: ClientIdentity, isFirst: boolean): Promise<string> {
    const recipient = {
      sql: `select p.id, a.address, case when p.id is null then 'sign-up' else 'sign-in' end from (select ?::text as address) a
        left join mail_addresses m on m.address = a.address left join people p on p.id = m.person where p.suspended_at is null`,
      values: [normaliseAddress(address)]
    }
    return await this.#ask(recipient, await this.#requester(recipient, asking), async transaction => {
      if (isFirst) return
      const asked = await this.rows(
        SentCode,
        transaction('mailed_codes')
          .select('address', 'purpose')
          .where({ purpose: 'sign-up' })
          .whereRaw("asked_at > now() - interval '1 hour'")
          .limit(maxSignUpsPerHour)
      )
      if (asked.length >= maxSignUpsPerHour)
        throw new RateLimited(
          { limit: maxSignUpsPerHour, windowSeconds: 3600, resetSeconds: 3600 },
          'Too many people ask for an account now, and you have asked before. Please come back in an hour.'
        )
    })
  }

  /** Sends a code to confirm a new address of a person. The old address stays until the code is used. */
  async forAddress(person: string, address: string): Promise<string> {
    return await this.#ask(
      { sql: "select ?::uuid, ?, 'address'", values: [person, normaliseAddress(address)] },
      { who: person, isKnown: false }
    )
  }

  async #ask(
    { sql, values }: Recipient,
    { who, isKnown }: Requester,
    check?: (transaction: Knex.Transaction) => Promise<void>
  ): Promise<string> {
    const [request, code] = [newSecret(), newCode()]
    const sent = await this.knex.transaction(async transaction => {
      // Requests run one after the other, so that simultaneous ones are counted too.
      await lockMail(transaction)
      await countTry(transaction, values.join(' '))
      await check?.(transaction)
      return await this.first(
        SentCode,
        transaction.raw(
          `
        insert into mailed_codes (request, person, address, purpose, digest, attempts_left, asked_by)
        select ?, r.person, r.address, r.purpose, ?, ?, case when s.is_kept then null else ? end from (${sql}) r (person, address, purpose), lateral (
          select ?::boolean and count(*) filter (where c.asked_by is null) = 0 as is_kept, count(c.asked_by) as all_codes, count(*) filter (where c.asked_by = ?) as own
          from mailed_codes c where c.address = r.address and c.asked_at > now() - interval '1 hour') s
        where s.is_kept or (s.all_codes < ? and s.own < ?)
        returning address, purpose`,
          [
            digestOf(request),
            digestOf(normaliseCode(code)),
            codeAttempts,
            who,
            ...values,
            isKnown,
            who,
            maxCodesPerHour,
            maxPerRequester
          ]
        )
      )
    })
    if (sent !== undefined)
      this.#mail.send({ to: sent.address, subject: `Your code for ${this.#name}`, text: this.#textOf(code) })
    return request
  }

  #textOf(code: string): string {
    return [
      `${code} is your code for ${this.#name}.`,
      `Type it into the page that asked for it. It works there alone, once, for ${codeMinutes} minutes.`,
      'If you did not ask for a code, somebody typed your name or address: there is nothing that you need to do. Give the code to nobody.'
    ].join('\n\n')
  }

  /**
   * Uses a code. Undefined if request and code do not match, for any reason. If `act` rejects, the code can be used
   * again, but the attempt is counted.
   */
  async use<Value>(
    request: string,
    code: string,
    purposes: readonly Purpose[],
    act: (code: Omit<DataOf<typeof TriedCode>, 'digest'>, transaction: Knex.Transaction) => Promise<Value>
  ): Promise<Value | undefined> {
    const key = digestOf(request)
    const tried = await this.first(
      TriedCode,
      this.knex.raw(
        `
      update mailed_codes set attempts_left = attempts_left - 1 where request = ? and attempts_left > 0 and asked_at > now() - ? * interval '1 minute'
      returning person, address, purpose, digest`,
        [key, codeMinutes]
      )
    )
    if (
      !isSame(digestOf(normaliseCode(code)), tried?.digest ?? dummyDigest) ||
      tried === undefined ||
      !purposes.some(purpose => purpose === tried.purpose)
    )
      return undefined
    const { digest, ...used } = tried
    return await this.knex.transaction(async transaction => {
      // The row stays, so that it counts for its hour, but without the digest of the code.
      const ended = await transaction('mailed_codes')
        .where({ request: key, digest })
        .update({ attempts_left: 0, digest: '' })
      return ended === 0 ? undefined : await act(used, transaction)
    })
  }
}
