import { Type } from '../../canonical/type.ts'
import { Count, Moment, NullableText, Text } from '../../contract/shapes.ts'
import type { DataOf } from '../../manifest/kind.ts'
import { safeFetch, type Reach } from '../../http/safe-fetch.ts'
import type { Database } from '../database.ts'
import { OperatorFault } from '../fault.ts'
import { keyProblem, problemOf } from './problems.ts'
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

type Written = Readonly<{ headers: Readonly<Record<string, string>>; body: string }>

/** Signs a message. While a secret is replaced, it is signed with both: the endpoint may check by either. */
async function write(dataDir: string, due: Due): Promise<Written> {
  const { message, endpoint, secret, former_secret: former, type, data, created_at: createdAt, timestamp } = due
  const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(createdAt)},"data":${data}}`
  const secrets = [await decrypt(dataDir, endpoint, secret)]
  // Who replaces a secret because the key is lost has a former one that nobody can decrypt.
  if (former !== null)
    secrets.push(
      ...(await decrypt(dataDir, endpoint, former).then(
        given => [given],
        unlessOtherKey(() => [])
      ))
    )
  const headers = {
    'content-type': 'application/json',
    'webhook-id': message,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(one => signatureOf(one, message, timestamp, body)).join(' ')
  }
  return { headers, body }
}

/** Handles the fault that a secret was encrypted with another key; others are thrown on. */
const unlessOtherKey =
  <T>(handle: (fault: OperatorFault) => T) =>
  (error: unknown): T => {
    if (error instanceof OperatorFault && error.code === 'O407') return handle(error)
    throw error
  }

/** Sends a message. Returns the fault if it cannot be signed here. */
async function send(given: DeliveryGiven, due: Due): Promise<OperatorFault | undefined> {
  const { dataDir, signal, reach } = given
  const written = await write(dataDir, due).catch(unlessOtherKey(fault => fault))
  if (written instanceof OperatorFault) {
    await postpone(given, due)
    return written
  }
  const answer = await safeFetch(due.url, { method: 'POST', ...written, signal }, reach)
  // An attempt that the process cut off does not count.
  if (!signal.aborted) await keep(given, due, problemOf(answer))
  return undefined
}

/** Leaves a message that cannot be signed here to another machine, or to the next minute. It is no attempt. */
async function postpone({ database: { knex } }: DeliveryGiven, { message, endpoint }: Due): Promise<void> {
  await knex.raw(
    `update pantry_webhook_deliveries set last_problem = ?, tried_at = clock_timestamp(),
      due_at = clock_timestamp() + interval '1 minute'
    where message = ? and endpoint = ?`,
    [keyProblem, message, endpoint]
  )
}

/** Keeps what came of an attempt: of a failed one the problem, and when to try again. */
async function keep({ database: { knex } }: DeliveryGiven, due: Due, problem: string | undefined): Promise<void> {
  const { message, endpoint, attempts } = due
  if (problem === undefined) {
    await knex('pantry_webhook_deliveries').where({ message, endpoint }).delete()
    return
  }
  if (problem === 'status 410')
    await knex('pantry_webhook_endpoints').where({ id: endpoint }).update({ disabled_at: knex.fn.now() })
  const pause = pauses[attempts]
  await knex.raw(
    `update pantry_webhook_deliveries set attempts = attempts + 1, last_problem = ?, tried_at = clock_timestamp(),
      due_at = clock_timestamp() + ? * (1 + random() / 10) * interval '1 second',
      dead_at = ${pause === undefined ? 'clock_timestamp()' : 'null'}
    where message = ? and endpoint = ?`,
    [problem, pause ?? 0, message, endpoint]
  )
}

/**
 * Sends what is due until nothing is, and removes what needs to be kept no longer. Throws the fault O407 at the end if
 * a message could not be signed here; it is tried again as others are.
 */
export async function deliver(given: DeliveryGiven): Promise<void> {
  const { database, signal } = given
  let fault: OperatorFault | undefined
  for (;;) {
    const due = signal.aborted ? [] : await dueOf(database)
    if (due.length === 0) break
    const sent = await Promise.allSettled(due.map(one => send(given, one)))
    for (const one of sent)
      if (one.status === 'rejected') throw one.reason
      else fault ??= one.value
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
  if (fault !== undefined) throw fault
}
