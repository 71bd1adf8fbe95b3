import { closed, Count, Text, Type, type DataOf, type JsonObject } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import type { ActName } from './act-kinds.ts'
import { writeEnding } from './journal.ts'

/** The actor for commands that are run on the server. */
export const operator = 'operator'

/**
 * Records an act in the transaction that performs it, and in the journal if a restored backup must not undo it. `actor`
 * is the id of a person, or `operator`; `details` must contain no secrets and no names of people.
 */
export async function noteAct(
  knex: Knex,
  actor: string,
  act: ActName,
  subject: string,
  details: JsonObject = {}
): Promise<void> {
  const [noted] = await knex('account_acts')
    .insert({ actor, act, subject, details: JSON.stringify(details) })
    .returning<{ at: string }[]>('at')
  if (noted === undefined) throw new Error('No act was written down.')
  await writeEnding(knex, act, subject, noted.at, { ...details, actor })
}

/** The schema of a recorded act. */
export const Act = closed({
  id: Count,
  at: Text,
  actor: Text,
  act: Text,
  subject: Text,
  details: Type.Record(Text, Type.Unknown())
})

/** Returns the last recorded acts, the newest first. */
export const lastActs = async (
  { knex, rows }: Pick<Database, 'knex' | 'rows'>,
  limit: number
): Promise<readonly DataOf<typeof Act>[]> =>
  await rows(Act, knex('account_acts').select(Object.keys(Act.properties)).orderBy('id', 'desc').limit(limit))
