import type { Knex } from 'knex'
import type { JsonObject } from '../../canonical/json.ts'
import { SurfaceError } from '../../handler/errors.ts'

/** A request with an idempotency key. `id` names the key among all; `digest` is a hash of what is asked. */
export type KeyedWork = Readonly<{ id: string; digest: string }>

/** The answer that is kept for a key, with the digest of the request that it answers. */
export type KeptForKey = Readonly<{ digest: string; answer: JsonObject }>

/** Where answers are kept, in the transaction of what the requests write. */
export type AnswerStore<R extends KeyedWork> = Readonly<{
  /** Returns the answers that are kept for some keys, by `id`. */
  read: (requests: readonly R[]) => Promise<ReadonlyMap<string, KeptForKey>>
  write: (added: readonly Readonly<{ request: R; answer: JsonObject }>[]) => Promise<void>
}>

/** Returns the answer that is kept for the key of a request, or else the one that `work` makes, which is then kept. */
export type OnceForKey<R extends KeyedWork> = (
  request: R,
  work: () => Promise<JsonObject>
) => Promise<Readonly<{ answer: JsonObject; isKept: boolean }>>

/** Waits for the keys of some requests and locks them until the transaction ends, in one order against deadlocks. */
export async function lockKeys(transaction: Knex.Transaction, requests: readonly KeyedWork[]): Promise<void> {
  await transaction.raw(
    'select pg_advisory_xact_lock(hashtextextended(name, 0)) from (select distinct unnest(?::text[]) as name order by name) keys',
    [requests.map(({ id }) => id)]
  )
}

/**
 * Runs work in which each request is answered once. All keys must be locked. An answer is kept in the transaction of
 * the work, so that both are kept or neither; what is refused is not kept. 422 for a key that came with another
 * request.
 */
export async function withKeys<R extends KeyedWork, Result>(
  { read, write }: AnswerStore<R>,
  requests: readonly R[],
  work: (once: OnceForKey<R>) => Promise<Result>
): Promise<Result> {
  const known = new Map(await read(requests))
  const added: Readonly<{ request: R; answer: JsonObject }>[] = []
  const result = await work(async (request, answerIt) => {
    const kept = known.get(request.id)
    if (kept !== undefined) {
      if (kept.digest === request.digest) return { answer: kept.answer, isKept: true }
      throw new SurfaceError(
        'IDEMPOTENCY_KEY_REUSED',
        'This was sent already, with other values under the same idempotency key: nothing more was done. To send it as well, take a new key, or open the page of the form again.',
        { details: { field: 'Idempotency-Key' } }
      )
    }
    const answer = await answerIt()
    known.set(request.id, { digest: request.digest, answer })
    added.push({ request, answer })
    return { answer, isKept: false }
  })
  if (added.length > 0) await write(added)
  return result
}
