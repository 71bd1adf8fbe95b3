import { digestOf, newSecret, Type, type Callers } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { CallerLimits, RequestWindows } from 'pantry/keys'

const Text = Type.String()
const Session = Type.Object({ id: Text, person: Text, form_token: Text, began_at: Text })
const Flow = Type.Object({ state: Text, nonce: Text, verifier: Text })

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`create table sessions (
    id uuid primary key default gen_random_uuid(), digest text not null unique, person text not null,
    form_token text not null, began_at timestamptz not null default now(), ends_at timestamptz not null)`)
  await knex.raw(`create table sign_ins (
    digest text primary key, state text not null, nonce text not null, verifier text not null, ends_at timestamptz not null)`)
}
export const down = async (knex: Knex): Promise<void> => {
  await knex.raw('drop table sign_ins, sessions')
}

/** Sessions of people, and sign-ins that have begun. Of their secrets the database has hashes. */
export class Sessions {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Begins a session and returns its secret, the value of the session cookie. */
  async begin(person: string): Promise<string> {
    const { knex } = this.#database
    const secret = newSecret()
    const ends = knex.raw("now() + interval '30 days'")
    await knex('sessions').insert({ digest: digestOf(secret), person, form_token: newSecret(), ends_at: ends })
    return secret
  }

  async find(secret: string) {
    const { knex, rows } = this.#database
    const holding = knex('sessions')
      .where({ digest: digestOf(secret) })
      .whereRaw('ends_at > now()')
    const [session] = await rows(Session, holding.select('id', 'person', 'form_token', 'began_at'))
    return session
  }

  /** Keeps what the provider must give back, and returns a secret for the browser that begins to sign in. */
  async keep(flow: Readonly<Record<'state' | 'nonce' | 'verifier', string>>): Promise<string> {
    const { knex } = this.#database
    const secret = newSecret()
    await knex('sign_ins').whereRaw('ends_at <= now()').delete()
    await knex('sign_ins').insert({
      ...flow,
      digest: digestOf(secret),
      ends_at: knex.raw("now() + interval '10 minutes'")
    })
    return secret
  }

  /** Returns what was kept, once. */
  async take(secret: string) {
    const { knex, rows } = this.#database
    const holding = knex('sign_ins')
      .where({ digest: digestOf(secret) })
      .whereRaw('ends_at > now()')
    const [flow] = await rows(Flow, holding.delete().returning(['state', 'nonce', 'verifier']))
    return flow
  }
}

/** Finds people by their sessions. Keys are found by the root `pantry/keys`, in whose table requests are counted. */
export function sessionCallers(sessions: Sessions, admin: string, database: Database): Callers {
  const limits = new CallerLimits(new RequestWindows(database, 'pantry_key_requests'))
  return {
    async find(presented) {
      const found = 'session' in presented ? await sessions.find(presented.session) : undefined
      if (found === undefined) return undefined
      const { id, person, form_token: formToken, began_at: began } = found
      return {
        credential: 'session',
        id: person,
        grants: person === admin ? ['admin'] : [],
        session: { id, formToken, signedInAt: new Date(began) }
      }
    },
    count: async ({ session }) => await limits.count([[`session:${session?.id ?? ''}`, { most: 600, seconds: 60 }]])
  }
}
