import { closed, hashCanonical, invalid, SurfaceError, Text, Type, type DataOf, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { keyReused } from '../errors.ts'
import type { Store } from './row.ts'

/** Identifies a retry: the person, the route, the idempotency key and the body. */
export type Retry = Readonly<{ person: string; route: string; key: string | undefined; body: JsonObject }>

const keyForm = /^[\x21-\x7e]{1,200}$/
const Kept = closed({ person: Text, route: Text, key: Text, digest: Text, body: Type.Record(Text, Type.Unknown()) })

/** Returns the idempotency key of a request; 400 if it is malformed. */
export function keyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !keyForm.test(header))
    throw invalid('Idempotency-Key', 'An idempotency key is one text of 1 to 200 visible ASCII characters.')
  return header
}

/** Runs `work` under the key of a request, or returns the answer stored for that key. */
export type Once<Answer> = (retry: Retry, work: () => Promise<Answer>) => Promise<Answer>

const nameOf = ({ person, route, key }: Retry): string => `idempotency ${person} ${route} ${key ?? ''}`

/**
 * Returns the answers stored for some keys in the last 24 hours. Locks the keys until the transaction ends, in one
 * order, which prevents deadlocks.
 */
async function holdKeys(
  { rows }: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  retries: readonly Retry[]
): Promise<Map<string, DataOf<typeof Kept>>> {
  await transaction.raw(
    'select pg_advisory_xact_lock(hashtextextended(name, 0)) from (select distinct unnest(?::text[]) as name order by name) keys',
    [retries.map(nameOf)]
  )
  const found = await rows(
    Kept,
    transaction('idempotency_keys')
      .select('person', 'route', 'key', 'digest', 'body')
      .whereRaw("created_at >= now() - interval '24 hours'")
      .whereRaw('(person, route, key) in (select * from unnest(?::uuid[], ?::text[], ?::text[]))', [
        retries.map(({ person }) => person),
        retries.map(({ route }) => route),
        retries.map(({ key }) => key ?? '')
      ])
  )
  return new Map(found.map(kept => [nameOf({ ...kept, body: {} }), kept]))
}

/**
 * Runs work in which each request is answered once. A key that was used in the last 24 hours returns its stored answer
 * and does nothing; with another body it is a 422. Answers are stored in the same transaction as the work. Refusals are
 * not stored.
 */
export async function answeredOnce<Answer extends JsonObject, Done>(
  store: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  retries: readonly Retry[],
  work: (once: Once<Answer>) => Promise<Done>
): Promise<Done> {
  const keyed = retries.filter(({ key }) => key !== undefined)
  const known = keyed.length === 0 ? new Map<string, DataOf<typeof Kept>>() : await holdKeys(store, transaction, keyed)
  const given: DataOf<typeof Kept>[] = []
  const done = await work(async (retry, answer) => {
    const { person, route, key, body } = retry
    if (key === undefined) return await answer()
    const digest = hashCanonical(body)
    const kept = known.get(nameOf(retry))
    if (kept !== undefined) {
      if (kept.digest === digest) return kept.body as Answer
      throw new SurfaceError(
        keyReused,
        'This was sent already, with other values under the same idempotency key: nothing more was done. To send it as well, take a new key, or open the page of the form again.',
        { details: { field: 'Idempotency-Key' } }
      )
    }
    const made = { person, route, key, digest, body: await answer() }
    known.set(nameOf(retry), made)
    given.push(made)
    return made.body
  })
  if (given.length > 0) {
    await transaction('idempotency_keys')
      .insert(given.map(one => ({ ...one, body: JSON.stringify(one.body) })))
      .onConflict(['person', 'route', 'key'])
      .merge(['digest', 'body', 'created_at'])
  }
  return done
}
