import { Type } from '../../canonical/type.ts'
import { urlOf } from '../../canonical/url.ts'
import { Count, Moment, NullableText, Text, Texts } from '../../contract/shapes.ts'
import type { DataOf } from '../../manifest/kind.ts'
import type { Database } from '../database.ts'
import { keyProblem, readProblem, type Problem } from './problems.ts'
import { encrypt, newWebhookSecret } from './secrets.ts'
import { newId } from './webhooks.ts'

const EndpointRow = Type.Object({
  id: Text,
  url: Text,
  types: Texts,
  created_at: Moment,
  disabled_at: NullableText,
  former_until: NullableText,
  waiting: Count,
  dead: Count,
  last_problem: NullableText
})
/**
 * Who is told, with the number of messages that wait for it and of those that are dead, and the last problem of these.
 */
type WebhookEndpoint = DataOf<typeof EndpointRow> & Readonly<{ problem: Problem | null }>

const DeadRow = Type.Object({
  message: Text,
  endpoint: Text,
  type: Text,
  attempts: Count,
  last_problem: NullableText,
  created_at: Moment,
  dead_at: Moment
})
type DeadLetter = DataOf<typeof DeadRow> & Readonly<{ problem: Problem }>

/** What the operator does with endpoints. */
export class Endpoints {
  readonly #database: Database
  readonly #dataDir: string

  constructor(database: Database, dataDir: string) {
    this.#database = database
    this.#dataDir = dataDir
  }

  /** Adds an endpoint, for all types if none is given. The secret is returned only here. */
  async add(url: string, types: readonly string[]): Promise<Readonly<{ id: string; secret: string }>> {
    const id = newId('hook')
    const secret = newWebhookSecret()
    await this.#database
      .knex('pantry_webhook_endpoints')
      .insert({ id, url: urlOf(url)?.href ?? url, types, secret: await encrypt(this.#dataDir, id, secret) })
    return { id, secret }
  }

  /**
   * Gives an endpoint another secret, which is returned only here; undefined if there is no such endpoint. For some
   * hours messages are signed with the former one as well; one that was replaced before that ends now.
   */
  async rotate(id: string, hours: number): Promise<string | undefined> {
    const { knex } = this.#database
    const secret = newWebhookSecret()
    const encrypted = await encrypt(this.#dataDir, id, secret)
    return await knex.transaction(async transaction => {
      const found = await transaction('pantry_webhook_endpoints')
        .where({ id })
        .update({
          secret: encrypted,
          former_secret: hours === 0 ? null : knex.ref('secret'),
          former_until: hours === 0 ? null : knex.raw("clock_timestamp() + ? * interval '1 hour'", [hours])
        })
      // What could not be signed with the former secret is sent at once.
      await transaction('pantry_webhook_deliveries')
        .where({ endpoint: id, last_problem: keyProblem })
        .whereNull('dead_at')
        .update({ due_at: transaction.fn.now() })
      return found > 0 ? secret : undefined
    })
  }

  async list(): Promise<readonly WebhookEndpoint[]> {
    const { knex, rows } = this.#database
    const found = await rows(
      EndpointRow,
      knex.raw(`select e.id, e.url, e.types, e.created_at, e.disabled_at, e.former_until,
        count(d.message) filter (where d.dead_at is null) as waiting,
        count(d.message) filter (where d.dead_at is not null) as dead,
        (array_agg(d.last_problem order by d.tried_at desc nulls last)
          filter (where d.last_problem is not null))[1] as last_problem
      from pantry_webhook_endpoints e left join pantry_webhook_deliveries d on d.endpoint = e.id
      group by e.id order by e.created_at, e.id`)
    )
    return found.map(one => ({ ...one, problem: one.last_problem === null ? null : readProblem(one.last_problem) }))
  }

  /** Removes an endpoint with all that waits for it; false if there is none. */
  async remove(id: string): Promise<boolean> {
    return (await this.#database.knex('pantry_webhook_endpoints').where({ id }).delete()) > 0
  }

  async dead(): Promise<readonly DeadLetter[]> {
    const { knex, rows } = this.#database
    const found = await rows(
      DeadRow,
      knex.raw(`select d.message, d.endpoint, m.type, d.attempts, d.last_problem, m.created_at, d.dead_at
      from pantry_webhook_deliveries d join pantry_webhook_messages m on m.id = d.message
      where d.dead_at is not null order by d.dead_at, d.message`)
    )
    return found.map(one => ({ ...one, problem: readProblem(one.last_problem) }))
  }

  /** Enables an endpoint, and sends what was dead again; false if there is none. */
  async retry(id: string): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const found = await transaction('pantry_webhook_endpoints').where({ id }).update({ disabled_at: null })
      await transaction('pantry_webhook_deliveries')
        .where({ endpoint: id })
        .whereNotNull('dead_at')
        .update({ dead_at: null, attempts: 0, due_at: transaction.fn.now() })
      return found > 0
    })
  }
}
