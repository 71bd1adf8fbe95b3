import { setImmediate, setTimeout } from 'node:timers/promises'
import { createTransport, type Transporter } from 'nodemailer'
import { closed, digestOf, invalid, newSecret, SurfaceError, Text, type Health, type ServiceLog } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { recordAct, operator, changeAndRecord } from './acts.ts'
import { Repository, RowId } from '../common/repository.ts'

export type Message = Readonly<{ to: string; subject: string; text: string }>

/** The maximum number of messages that wait to be sent; more are dropped. */
const maxPending = 1_000

/** The seconds after which a message that the server did not accept is sent again. */
const pauses = [5, 30]

const healthMs = 60_000

/** Returns why a server did not accept a message: the error code and the SMTP reply code (RFC 5321 §4.2). */
const reasonOf = (error: unknown): string => {
  const { code, responseCode } = error as Readonly<{ code?: string; responseCode?: number }>
  return [code ?? 'unknown', ...(responseCode === undefined ? [] : [responseCode])].join(' ')
}

/**
 * Sends messages over SMTP in the background. No response waits for it or reveals whether a message was sent. What
 * waits is in memory and no declared job sends it, because it has codes, of which the database keeps digests alone.
 */
export class Mail {
  readonly #transport: Transporter | undefined
  readonly #from: string
  readonly #log: ServiceLog
  readonly #pauses: readonly number[]
  readonly #pending = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #health: Readonly<{ at: number; result: Promise<Health> }> | undefined

  /** Without a `url` (`smtp://` or `smtps://`) nothing is sent. */
  constructor(url: string | undefined, from: string, log: ServiceLog, waits = pauses) {
    this.#transport =
      url === undefined
        ? undefined
        : createTransport({
            url,
            pool: true,
            maxConnections: 2,
            connectionTimeout: 10_000,
            greetingTimeout: 10_000,
            socketTimeout: 20_000
          })
    this.#from = from
    this.#log = log
    this.#pauses = waits
  }

  get isSet(): boolean {
    return this.#transport !== undefined
  }

  /** The message is sent after the current turn of the event loop, so that it does not delay the response. */
  send(message: Message): void {
    if (this.#pending.size >= maxPending) {
      this.#log.warn({ subsystem: 'mail' }, 'A message is not sent: too many wait.')
      return
    }
    const sending = setImmediate()
      .then(async () => {
        await this.#send(message)
      })
      .finally(() => {
        this.#pending.delete(sending)
      })
    this.#pending.add(sending)
  }

  async #send(message: Message): Promise<void> {
    for (const pause of [...this.#pauses, undefined]) {
      try {
        await this.#transport?.sendMail({
          ...message,
          from: this.#from,
          disableUrlAccess: true,
          disableFileAccess: true,
          headers: { 'Auto-Submitted': 'auto-generated' }
        })
        return
      } catch (error) {
        this.#health = undefined
        this.#log.warn(
          { subsystem: 'mail', reason: reasonOf(error), again_in_seconds: pause ?? null },
          'A message was not taken.'
        )
        if (pause === undefined || !(await this.#waited(pause))) return
      }
    }
  }

  /** Waits. False, at once, when `close` is called. */
  async #waited(seconds: number): Promise<boolean> {
    return await setTimeout(seconds * 1_000, true, { signal: this.#closing.signal }).catch(() => false)
  }

  /**
   * Returns whether the server accepts messages: checked at most once a minute, and again after it refused a message.
   */
  async health(): Promise<Health> {
    if (this.#transport === undefined)
      return { status: 'ok', detail: 'No mail server is named: the operator gives codes.' }
    if (this.#health === undefined || Date.now() - this.#health.at > healthMs)
      this.#health = { at: Date.now(), result: this.#check(this.#transport) }
    return await this.#health.result
  }

  async #check(transport: Transporter): Promise<Health> {
    try {
      await transport.verify()
      return { status: 'ok', detail: 'The mail server takes messages.' }
    } catch (error) {
      return {
        status: 'degraded',
        detail: `The mail server takes no messages (${reasonOf(error)}): codes come from the operator, and passkeys work.`
      }
    }
  }

  /** Waits for messages that are being sent, and drops those that wait to be sent again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#pending)
    this.#transport?.close()
  }
}

const invitationDays = 7

export const MailAddress = closed({ address: Text, confirmed_at: Text })

/** Lets transactions on mail addresses and mailed codes run one after another. */
export const lockMail = async (transaction: Knex.Transaction): Promise<void> => {
  await transaction.raw("select pg_advisory_xact_lock(hashtext('pantry mail'))")
}

type Newcomer = Readonly<{ username: string; address: string; terms: string; invitation: string | undefined }>

export class MailAddresses extends Repository {
  async of(person: string) {
    return await this.first(
      MailAddress,
      this.knex('mail_addresses').select('address', 'confirmed_at').where({ person })
    )
  }

  /** Stores a confirmed address, which replaces the previous one; false if it belongs to somebody else. */
  async keep(transaction: Knex.Transaction, person: string, address: string): Promise<boolean> {
    await lockMail(transaction)
    const kept = await this.rows(
      RowId,
      transaction.raw(
        `
      insert into mail_addresses (person, address) select ?::uuid, ? where not exists (select from mail_addresses where address = ? and person <> ?::uuid)
      on conflict (person) do update set address = excluded.address, confirmed_at = now() returning person as id`,
        [person, address, address, person]
      )
    )
    if (kept.length > 0) await recordAct(transaction, person, 'mail.confirm', person)
    return kept.length > 0
  }

  /** Removes the address of a person; false if there is none. */
  async remove(person: string): Promise<boolean> {
    const removed = await changeAndRecord(this.store, person, 'mail.remove', transaction =>
      transaction('mail_addresses').where({ person }).delete().returning('person as id')
    )
    return removed !== undefined
  }

  /**
   * Creates an account with a confirmed address and returns the person's id. 400 if the name or the address was taken
   * meanwhile, 403 if the invitation is not valid.
   */
  async signUp(transaction: Knex.Transaction, { username, address, terms, invitation }: Newcomer): Promise<string> {
    if (
      invitation !== undefined &&
      (await transaction('invitations')
        .where({ digest: digestOf(invitation) })
        .whereRaw('expires_at > now()')
        .delete()) === 0
    )
      throw notInvited()
    const added = await this.first(
      RowId,
      transaction('people').insert({ username, roles: [] }).onConflict('username').ignore().returning(['id'])
    )
    if (added === undefined) throw invalid('username', `The name \`${username}\` is taken.`)
    const kept = await this.rows(
      RowId,
      transaction('mail_addresses')
        .insert({ person: added.id, address })
        .onConflict('address')
        .ignore()
        .returning('person as id')
    )
    if (kept.length === 0) throw invalid('code', 'This address has an account by now. Please sign in to it.')
    await recordAct(transaction, added.id, 'people.sign-up', added.id, { terms_version: terms })
    return added.id
  }

  /** Creates an invitation. Its text is returned only here. */
  async invite(actor = operator): Promise<Readonly<{ invitation: string; days: number }>> {
    const invitation = newSecret()
    await this.knex.transaction(async transaction => {
      await transaction('invitations').insert({
        digest: digestOf(invitation),
        expires_at: transaction.raw("now() + ? * interval '1 day'", [invitationDays])
      })
      await recordAct(transaction, actor, 'people.invite', 'nobody')
    })
    return { invitation, days: invitationDays }
  }

  async isInvited(invitation: string): Promise<boolean> {
    const valid = await this.knex('invitations')
      .where({ digest: digestOf(invitation) })
      .whereRaw('expires_at > now()')
      .select('digest')
    return valid.length > 0
  }
}

export const notInvited = (): SurfaceError =>
  new SurfaceError(
    'FORBIDDEN',
    'A new account needs an invitation that holds: the operator gives one, for one person and seven days.'
  )
