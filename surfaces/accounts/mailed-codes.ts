import { closed, digestOf, isSame, newSecret, nullable, RateLimited, Text, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import type { Browsers } from './browsers.ts'
import { codeAttempts, codeMinutes, newCode, normaliseCode } from './codes.ts'
import { lockMail } from './mail-addresses.ts'
import type { Mail } from './mail.ts'
import { mostSignUpsAnHour, type Asking } from './shares.ts'
import { countTry } from './tries.ts'

/**
 * An address gets at most so many codes in an hour, and whoever asks for them has at most so many of them: so nobody
 * uses up all. Beside them, one is kept for a browser that its person has signed in with.
 */
const mostCodesAnHour = 3
const mostOfOne = 2

type Purpose = 'sign-in' | 'sign-up' | 'address'

const Sent = closed({ address: Text, purpose: Text })
const Found = closed({ person: nullable(Text) })
const Used = closed({ person: nullable(Text), address: Text, purpose: Text, digest: Text })

type UsedCode = Omit<DataOf<typeof Used>, 'digest'>

/** Compared with when there is no such code. */
const nobody = digestOf('nobody')

/** One form of an address: its letter case tells no two mailboxes apart in practice. */
const normaliseAddress = (address: string): string => address.trim().toLowerCase()

/** Whom a code is for: values for `person`, `address` and `purpose`, as a query that gives at most one row. */
type Recipient = Readonly<{ sql: string; values: readonly string[] }>

/** Who asks for it: a person or a client, and whether with a browser that the recipient has signed in with. */
type Requester = Readonly<{ who: string; isKnown: boolean }>

/**
 * Codes that are mailed. Whoever asks for one gets the secret of the request, which the code works with: it is no use
 * in another browser. The answer is the same whether a code was sent or not.
 */
export class MailedCodes {
  readonly #database: Pick<Database, 'knex' | 'rows'>
  readonly #mail: Mail
  readonly #name: string
  readonly #browsers: Browsers

  /** `name` of the service, for the subject. */
  constructor(database: Pick<Database, 'knex' | 'rows'>, mail: Mail, name: string, browsers: Browsers) {
    this.#database = database
    this.#mail = mail
    this.#name = name
    this.#browsers = browsers
  }

  /** For somebody who signs in with a username. */
  async forName(username: string, asking: Asking): Promise<string> {
    const recipient = {
      sql: "select p.id, m.address, 'sign-in' from people p join mail_addresses m on m.person = p.id where p.username = ? and p.suspended_at is null",
      values: [username.trim().toLowerCase()]
    }
    return await this.#ask(recipient, await this.#requester(recipient, asking))
  }

  /** Looked at before there is a transaction: it would hold what others wait for. */
  async #requester({ sql, values }: Recipient, { caller, callerHash }: Asking): Promise<Requester> {
    const { knex, rows } = this.#database
    const [found] = await rows(
      Found,
      knex.raw(`select r.person from (${sql}) r (person, address, purpose)`, [...values])
    )
    return { who: callerHash, isKnown: await this.#browsers.isKnown(caller, found?.person ?? '') }
  }

  /**
   * For somebody who wants an account. An address that has one gets a code that signs in to it. 429 where too many ask,
   * but for the `isFirst` of a client.
   */
  async forNewcomer(address: string, asking: Asking, isFirst: boolean): Promise<string> {
    const recipient = {
      sql: `select p.id, a.address, case when p.id is null then 'sign-up' else 'sign-in' end from (select ?::text as address) a
        left join mail_addresses m on m.address = a.address left join people p on p.id = m.person where p.suspended_at is null`,
      values: [normaliseAddress(address)]
    }
    return await this.#ask(recipient, await this.#requester(recipient, asking), async transaction => {
      if (isFirst) return
      const asked = await this.#database.rows(
        Sent,
        transaction('mailed_codes')
          .select('address', 'purpose')
          .where({ purpose: 'sign-up' })
          .whereRaw("asked_at > now() - interval '1 hour'")
          .limit(mostSignUpsAnHour)
      )
      if (asked.length >= mostSignUpsAnHour)
        throw new RateLimited(
          { limit: mostSignUpsAnHour, windowSeconds: 3600, resetSeconds: 3600 },
          'Too many people ask for an account now, and you have asked before. Please come back in an hour.'
        )
    })
  }

  /** For a person who changes their address. It stays as it was until the code has come back. */
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
    const { knex, rows } = this.#database
    const [request, code] = [newSecret(), newCode()]
    const [sent] = await knex.transaction(async transaction => {
      // One after the other, so that several at once are counted too.
      await lockMail(transaction)
      await countTry(transaction, values.join(' '))
      await check?.(transaction)
      return await rows(
        Sent,
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
            mostCodesAnHour,
            mostOfOne
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
   * Does with a code what it was mailed for, and ends it; undefined where request and code do not fit, whatever the
   * reason. Where `act` rejects, the code can be used again.
   */
  async use<Value>(
    request: string,
    code: string,
    purposes: readonly Purpose[],
    act: (used: UsedCode, transaction: Knex.Transaction) => Promise<Value>
  ): Promise<Value | undefined> {
    const { rows, knex } = this.#database
    const key = digestOf(request)
    const [tried] = await rows(
      Used,
      knex.raw(
        `
      update mailed_codes set attempts_left = attempts_left - 1 where request = ? and attempts_left > 0 and asked_at > now() - ? * interval '1 minute'
      returning person, address, purpose, digest`,
        [key, codeMinutes]
      )
    )
    if (
      !isSame(digestOf(normaliseCode(code)), tried?.digest ?? nobody) ||
      tried === undefined ||
      !purposes.some(purpose => purpose === tried.purpose)
    )
      return undefined
    const { digest, ...used } = tried
    return await knex.transaction(async transaction => {
      // The row stays for the count of its hour, without what it could be used for.
      const ended = await transaction('mailed_codes')
        .where({ request: key, digest })
        .update({ attempts_left: 0, digest: '' })
      return ended === 0 ? undefined : await act(used, transaction)
    })
  }
}
