import type { Health } from 'pantry/data'
import type { Database } from 'pantry/database'
import { lastActs } from './acts.ts'
import { createCallers } from './callers.ts'
import { deleteEnded } from './delete-ended.ts'
import { Keys } from './keys.ts'
import { Limits } from './limits.ts'
import { People } from './people.ts'
import { Receipts } from './receipts.ts'
import { SignIn } from './sign-in.ts'

/** People, their sessions, keys and receipts; `callers` tells who asks. */
export function openAccounts (database: Database) {
  const [people, signIn, keys, receipts] = [new People(database), new SignIn(database), new Keys(database), new Receipts(database)]
  const health = async (): Promise<Health> => {
    try {
      await database.knex('people').count()
      return { status: 'ok', detail: 'Sessions and keys can be read.' }
    } catch {
      return { status: 'down', detail: 'Sessions and keys cannot be read, so that nobody is let in who needs one.' }
    }
  }
  return { services: { people, signIn, keys, receipts, deleteEnded: async (): Promise<void> => { await deleteEnded(database) }, acts: async (limit: number) => await lastActs(database, limit), callers: createCallers(signIn, keys, new Limits(database)) }, prepare: async (): Promise<void> => { await deleteEnded(database) }, health: { accounts: health } }
}
