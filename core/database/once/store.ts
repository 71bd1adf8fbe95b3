import type { Knex } from 'knex'
import type { JsonObject } from '../../canonical/json.ts'
import { Type } from '../../canonical/type.ts'
import { Text } from '../../contract/shapes.ts'
import type { KeyedRequest } from '../../plan/kind.ts'
import type { ReadRows } from '../rows.ts'
import type { AnswerStore } from './keys.ts'

/** The most answers that are kept for callers with a credential, and for others. The oldest make room. */
const mostKept = { known: 100_000, anonymous: 10_000 }

/** The most characters of an answer that can be kept. */
const mostCharacters = 65_536

/** Answers that one request removes at most, so that none of them waits for long. */
const removedAtOnce = 100

const KeptRow = Type.Object({ id: Text, digest: Text, answer: Text })

/** Removes answers that have expired or, of some callers, those that are too many. Skips what others remove. */
async function removeKept(transaction: Knex.Transaction, who?: keyof typeof mostKept): Promise<void> {
  const [condition, bindings] =
    who === undefined
      ? ['expires_at <= now()', []]
      : [
          `is_anonymous = ? and place <= (select last_value from pantry_idempotency_${who}) - ?`,
          [who === 'anonymous', mostKept[who]]
        ]
  await transaction.raw(
    `delete from pantry_idempotency_keys where id in (
      select id from pantry_idempotency_keys where ${condition} limit ${removedAtOnce} for update skip locked
    )`,
    bindings
  )
}

async function keep(
  transaction: Knex.Transaction,
  { id, digest, isAnonymous, seconds }: KeyedRequest,
  answer: JsonObject
): Promise<void> {
  const text = JSON.stringify(answer)
  if (text.length > mostCharacters)
    throw new RangeError(
      `An answer of ${text.length} characters cannot be kept for an idempotency key: the most is ${mostCharacters}.`
    )
  const who = isAnonymous ? 'anonymous' : 'known'
  await transaction.raw(
    `insert into pantry_idempotency_keys (id, digest, answer, is_anonymous, place, expires_at)
    values (?, ?, ?, ?, nextval('pantry_idempotency_${who}'), now() + ? * interval '1 second')
    on conflict (id) do update set digest = excluded.digest, answer = excluded.answer,
      is_anonymous = excluded.is_anonymous, place = excluded.place, expires_at = excluded.expires_at`,
    [id, digest, text, isAnonymous, seconds]
  )
  await removeKept(transaction)
  await removeKept(transaction, who)
}

/** The table of the framework as the place where answers are kept. */
export const keptIn = (transaction: Knex.Transaction, rows: ReadRows): AnswerStore<KeyedRequest> => ({
  read: async requests => {
    const found = await rows(
      KeptRow,
      transaction('pantry_idempotency_keys')
        .select('id', 'digest', 'answer')
        .whereIn(
          'id',
          requests.map(({ id }) => id)
        )
        .where('expires_at', '>', transaction.fn.now())
    )
    return new Map(found.map(({ id, digest, answer }) => [id, { digest, answer: JSON.parse(answer) as JsonObject }]))
  },
  write: async added => {
    for (const { request, answer } of added) await keep(transaction, request, answer)
  }
})
