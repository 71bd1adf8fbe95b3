import { createTransport, type Transporter } from 'nodemailer'
import type { Health, ServiceLog } from 'pantry/data'

/** A message to one address. */
export type Message = Readonly<{ to: string; subject: string; text: string }>

/** The maximum number of messages that wait to be sent; more are dropped. */
const mostWaiting = 1_000

/** The seconds after which a message that the server did not accept is sent again. */
const pauses = [5, 30]

const lookedAtFor = 60_000

/**
 * Returns why a server did not accept a message, without addresses: the error code and the SMTP reply code (RFC 5321
 * §4.2).
 */
const reasonOf = (error: unknown): string => {
  const { code, responseCode } = error as Readonly<{ code?: string; responseCode?: number }>
  return [code ?? 'unknown', ...(responseCode === undefined ? [] : [responseCode])].join(' ')
}

/** Sends messages over SMTP in the background. No response waits for it or reveals whether a message was sent. */
export class Mail {
  readonly #transport: Transporter | undefined
  readonly #from: string
  readonly #log: ServiceLog
  readonly #pauses: readonly number[]
  readonly #underway = new Set<Promise<void>>()
  readonly #ended = new AbortController()
  #health: Readonly<{ at: number; found: Promise<Health> }> | undefined

  /** Without a `url` (`smtp://` or `smtps://`, with user and password if the server needs them) nothing is sent. */
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

  /** Whether a mail server is configured. */
  get isSet(): boolean {
    return this.#transport !== undefined
  }

  /** Queues a message. It is sent after the current event-loop turn, so that it does not delay the response. */
  send(message: Message): void {
    if (this.#underway.size >= mostWaiting) {
      this.#log.warn({ subsystem: 'mail' }, 'A message is not sent: too many wait.')
      return
    }
    const sending = new Promise(setImmediate)
      .then(async () => {
        await this.#send(message)
      })
      .finally(() => {
        this.#underway.delete(sending)
      })
    this.#underway.add(sending)
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

  /** Waits some seconds and resolves to true, or to false as soon as the process ends. */
  async #waited(seconds: number): Promise<boolean> {
    const { signal } = this.#ended
    return await new Promise(resolve => {
      const timer = setTimeout(() => {
        resolve(true)
      }, seconds * 1_000)
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          resolve(false)
        },
        { once: true }
      )
    })
  }

  /** Whether the server accepts messages; checked at most once a minute. */
  async health(): Promise<Health> {
    if (this.#transport === undefined)
      return { status: 'ok', detail: 'No mail server is named: the operator gives codes.' }
    if (this.#health === undefined || Date.now() - this.#health.at > lookedAtFor)
      this.#health = { at: Date.now(), found: this.#look(this.#transport) }
    return await this.#health.found
  }

  async #look(transport: Transporter): Promise<Health> {
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
    this.#ended.abort()
    await Promise.all(this.#underway)
    this.#transport?.close()
  }
}
