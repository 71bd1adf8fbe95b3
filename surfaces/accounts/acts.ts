import { closed, Count, Text, Type, type DataOf, type JsonObject } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'

/** Who acts with a command, at the machine. */
export const operator = 'operator'

/** Writes down what was done, in the transaction that does it. `actor` is the id of a person, or `operator`; `details` has no secret and no name of a person. */
export async function noteAct (knex: Knex, actor: string, act: string, subject: string, details: JsonObject = {}): Promise<void> {
  await knex('account_acts').insert({ actor, act, subject, details: JSON.stringify(details) })
}

/** One act. */
export const Act = closed({ id: Count, at: Text, actor: Text, act: Text, subject: Text, details: Type.Record(Text, Type.Unknown()) })

const columns = ['id', 'at', 'actor', 'act', 'subject', 'details']

/** What was done last, the newest first. */
export const lastActs = async ({ knex, rows }: Pick<Database, 'knex' | 'rows'>, limit: number): Promise<readonly DataOf<typeof Act>[]> =>
  await rows(Act, knex('account_acts').select(columns).orderBy('id', 'desc').limit(limit))

/** What a person did, and what was done to their account, the newest first. Another person who did it is not told: that is `operator`. */
export async function actsOf ({ knex, rows }: Pick<Database, 'knex' | 'rows'>, person: string): Promise<readonly DataOf<typeof Act>[]> {
  const acts = await rows(Act, knex('account_acts').select(columns).where({ subject: person }).orWhere({ actor: person }).orderBy('id', 'desc').limit(1_000))
  return acts.map(act => act.actor === person ? act : { ...act, actor: operator })
}
