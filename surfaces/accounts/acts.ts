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

/** What was done last, the newest first. */
export const lastActs = async ({ knex, rows }: Pick<Database, 'knex' | 'rows'>, limit: number): Promise<readonly DataOf<typeof Act>[]> =>
  await rows(Act, knex('account_acts').select(Object.keys(Act.properties)).orderBy('id', 'desc').limit(limit))
