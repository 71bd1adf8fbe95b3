import { closed, hashCanonical, invalid, SurfaceError, Text, Type, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { keyReused } from '../errors.ts'
import type { Store } from './row.ts'

/** What makes a retry harmless: whose it is, of which route, under which key, with which body. */
export type Retry = Readonly<{ person: string, route: string, key: string | undefined, body: JsonObject }>

const keyForm = /^[\x21-\x7e]{1,200}$/
const Kept = closed({ digest: Text, body: Type.Record(Text, Type.Unknown()) })

/** The key of a request; 400 for one that cannot be one. */
export function keyOf (header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !keyForm.test(header)) throw invalid('Idempotency-Key', 'An idempotency key is one text of 1 to 200 visible ASCII characters.')
  return header
}

/** Holds the keys of some requests until the transaction ends, in one order, so that no two wait for each other. */
export async function lockKeys (transaction: Knex.Transaction, retries: readonly Retry[]): Promise<void> {
  const names = retries.flatMap(({ person, route, key }) => key === undefined ? [] : [`idempotency ${person} ${route} ${key}`])
  if (names.length > 0) await transaction.raw('select pg_advisory_xact_lock(hashtextextended(name, 0)) from (select distinct unnest(?::text[]) as name order by name) keys', [names])
}

/**
 * Does something once, under a key that is held: where it was used in the last 24 hours, its answer is given again and nothing is done; with another body it is a 422.
 * The answer is kept in the transaction that does it, so that there is never one without the other. What is refused is not kept.
 */
export async function once<Answer extends JsonObject> ({ rows }: Pick<Store, 'rows'>, transaction: Knex.Transaction, { person, route, key, body }: Retry, work: () => Promise<Answer>): Promise<Answer> {
  if (key === undefined) return await work()
  const digest = hashCanonical(body)
  await transaction('idempotency_keys').where({ person, route, key }).whereRaw("created_at < now() - interval '24 hours'").delete()
  const [kept] = await rows(Kept, transaction('idempotency_keys').select('digest', 'body').where({ person, route, key }))
  if (kept !== undefined) {
    if (kept.digest === digest) return kept.body as Answer
    throw new SurfaceError(keyReused, 'This was sent already, with other values under the same idempotency key: nothing more was done. To send it as well, take a new key, or open the page of the form again.', { details: { field: 'Idempotency-Key' } })
  }
  const answer = await work()
  await transaction('idempotency_keys').insert({ person, route, key, digest, status: 200, body: JSON.stringify(answer) })
  return answer
}
