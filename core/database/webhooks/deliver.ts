import { Type } from '../../canonical/type.ts'
import { Count, Moment, NullableText, Text } from '../../contract/shapes.ts'
import type { DataOf } from '../../manifest/kind.ts'
import { safeFetch, type OutgoingAnswer, type Reach } from '../../http/safe-fetch.ts'
import type { Database } from '../database.ts'
import { decrypt, signatureOf } from './secrets.ts'

/**
 * Seconds to wait after each failed attempt, as Standard Webhooks advises: ten attempts within three days and a half. A
 * message is dead after the last.
 */
const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Messages that are sent at once, and of these to one endpoint, so that the others do not wait for a slow one. */
const atOnce = 20
const toOne = 4

const deadDays = 30

const DueRow = Type.Object({
  message: Text,
  endpoint: Text,
  url: Text,
  secret: Text,
  former_secret: NullableText,
  type: Text,
  data: Text,
  created_at: Moment,
  attempts: Count,
  timestamp: Text
})
type Due = DataOf<typeof DueRow>

type DeliveryGiven = Readonly<{ database: Database; dataDir: string; signal: AbortSignal; reach?: Reach }>

/** Returns what is due, of each endpoint only some, with the time of the database for the attempts. */
const dueOf = async ({ knex, rows }: Database): Promise<readonly Due[]> =>
  await rows(
    DueRow,
    knex.raw(
      `select d.message, d.endpoint, e.url, e.secret,
        case when e.former_until > clock_timestamp() then e.former_secret end as former_secret, m.type, m.data, m.created_at, d.attempts,
        floor(extract(epoch from clock_timestamp()))::bigint::text as timestamp
      from (
        select *, row_number() over (partition by endpoint order by due_at, message) as place
        from pantry_webhook_deliveries where dead_at is null and due_at <= clock_timestamp()
      ) d join pantry_webhook_endpoints e on e.id = d.endpoint join pantry_webhook_messages m on m.id = d.message
      where d.place <= ? and e.disabled_at is null order by d.due_at, d.message limit ?`,
      [toOne, atOnce]
    )
  )

/** Returns why an answer is none of success, without anything that the server wrote; `undefined` for a success. */
function problemOf(answer: OutgoingAnswer): string | undefined {
  switch (answer.state) {
    case 'answered':
    case 'too-large':
      return answer.status >= 200 && answer.status < 300 ? undefined : `status ${answer.status}`
    case 'failed':
      return `failed ${answer.code}`
    case 'refused':
    case 'timeout':
      return answer.state
  }
}

async function send({ database: { knex }, dataDir, signal, reach }: DeliveryGiven, due: Due): Promise<void> {
  const { message, endpoint, url, type, data, created_at: createdAt, attempts, timestamp } = due
  const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(createdAt)},"data":${data}}`
  // While a secret is replaced, a message is signed with both: the endpoint may check by either.
  const signatures: string[] = []
  for (const secret of [due.secret, due.former_secret])
    if (secret !== null)
      signatures.push(signatureOf(await decrypt(dataDir, endpoint, secret), message, timestamp, body))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': message,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' ')
  }
  const answer = await safeFetch(url, { method: 'POST', headers, body, signal }, reach)
  // An attempt that the process cut off does not count.
  if (signal.aborted) return
  const problem = problemOf(answer)
  if (problem === undefined) {
    await knex('pantry_webhook_deliveries').where({ message, endpoint }).delete()
    return
  }
  if (problem === 'status 410')
    await knex('pantry_webhook_endpoints').where({ id: endpoint }).update({ disabled_at: knex.fn.now() })
  const pause = pauses[attempts]
  await knex.raw(
    `update pantry_webhook_deliveries set attempts = attempts + 1, last_problem = ?,
      due_at = clock_timestamp() + ? * (1 + random() / 10) * interval '1 second',
      dead_at = ${pause === undefined ? 'clock_timestamp()' : 'null'}
    where message = ? and endpoint = ?`,
    [problem, pause ?? 0, message, endpoint]
  )
}

/** Sends what is due until nothing is, and removes what needs to be kept no longer. */
export async function deliver(given: DeliveryGiven): Promise<void> {
  const { database, signal } = given
  for (;;) {
    const due = signal.aborted ? [] : await dueOf(database)
    if (due.length === 0) break
    // What cannot be decrypted here does not keep the others of the round.
    const sent = await Promise.allSettled(due.map(one => send(given, one)))
    for (const one of sent) if (one.status === 'rejected') throw one.reason
  }
  const { knex } = database
  await knex.raw(
    'update pantry_webhook_endpoints set former_secret = null, former_until = null where former_until <= clock_timestamp()'
  )
  // What an endpoint that is disabled has not got is dead; it comes back with the endpoint.
  await knex.raw(
    `update pantry_webhook_deliveries d set dead_at = clock_timestamp() from pantry_webhook_endpoints e
    where e.id = d.endpoint and e.disabled_at is not null and d.dead_at is null`
  )
  await knex.raw("delete from pantry_webhook_deliveries where dead_at < clock_timestamp() - ? * interval '1 day'", [
    deadDays
  ])
  await knex.raw(
    'delete from pantry_webhook_messages m where not exists (select from pantry_webhook_deliveries d where d.message = m.id)'
  )
}
