import { randomInt } from 'node:crypto'
import {
  browserCookie,
  closed,
  cookiePath,
  digestOf,
  isSame,
  newSecret,
  sessionCookie,
  Text,
  Type,
  type Caller,
  type DataOf,
  type Service
} from 'pantry/data'
import type { Knex } from 'pantry/database'
import { Secrets } from '../common/secrets.ts'
import { recordAct, operator } from './acts.ts'
import { countTry, openWindows, type ClientIdentity } from './limits.ts'
import { Repository, RowId, type Store } from '../common/repository.ts'

/** Letters and digits that are not easily confused (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const length = 10

/** How long a code is valid, in minutes, and how many times it may be tried. */
export const codeMinutes = 15
export const codeAttempts = 5

/** Returns a new code: 50 random bits, in two groups of five characters that are easy to read out. */
export const newCode = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length)))
    .join('')
    .replace(/^.{5}/, '$&-')

/** Ignores case, spaces and hyphens, and replaces characters that are easily confused. */
export const normaliseCode = (text: string): string =>
  text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

const tokenForm = /^[\w-]{43}\.[\w-]{43}$/

/**
 * Recognises browsers in which a person has signed in, by a token that the service does not store and that does not
 * sign in. A known browser has a mailed code and attempts of its own, which strangers cannot use up.
 */
export class Browsers {
  readonly #secrets: Pick<Secrets, 'sealOf'>

  constructor(secrets: Pick<Secrets, 'sealOf'>) {
    this.#secrets = secrets
  }

  async tokenOf(person: string, random = newSecret()): Promise<string> {
    return `${random}.${await this.#secrets.sealOf('browsers', `${random} ${person}`)}`
  }

  /** Returns true if the person has signed in with the caller's browser or the caller has a session of the person. */
  async isKnown({ id, session, browser }: Caller, person: string): Promise<boolean> {
    const token = browser !== undefined && tokenForm.test(browser) ? browser : '.'
    // Computed in any case, so that response times reveal nothing.
    const expected = await this.tokenOf(person, token.split('.')[0])
    return isSame(token, expected) || (session !== undefined && id === person)
  }
}

/** A session ends after 30 days without use, and after 90 days at the latest. */
const idleDays = 30
const maxDays = 90

/** The maximum age of a fresh sign-in, in minutes. */
export const freshMinutes = 10

/**
 * The limit of attempts with a code, per client: those of other clients do not count. With 50 bits a code is safe even
 * against very many clients.
 */
const tries = { most: codeAttempts, seconds: codeMinutes * 60 }

/** The requester for commands on the server. */
const here: ClientIdentity = { caller: { grants: [] }, callerHash: '' }

const Code = closed({ person: Text, digest: Text })
const OwnSession = closed({ id: Text, signed_in_at: Text, last_used_on: Text, expires_at: Text })
const ValidSession = closed({
  id: Text,
  form_token: Text,
  signed_in_at: Text,
  person: Text,
  roles: Type.Array(Text),
  is_stale: Type.Boolean()
})

type NewSession = Readonly<{ secret: string; person: string }>

/** The digest to compare with if there is no code, so that a name without one takes the same time. */
const dummyDigest = digestOf('nobody')

/** One-time codes and sessions. Both are stored as hashes and read from the primary only. */
export class SignIn extends Repository {
  readonly #browsers: Browsers
  readonly #windows: ReturnType<typeof openWindows>

  constructor(store: Store, browsers = new Browsers(new Secrets(store))) {
    super(store)
    this.#browsers = browsers
    this.#windows = openWindows(store)
  }

  /** Issues a code, which replaces the previous one of the person. */
  async issueCode(person: string, actor = operator): Promise<string> {
    const code = newCode()
    await this.knex.transaction(async transaction => {
      const row = {
        person,
        digest: digestOf(normaliseCode(code)),
        expires_at: transaction.raw("now() + ? * interval '1 minute'", [codeMinutes])
      }
      await transaction('sign_in_codes').insert(row).onConflict('person').merge()
      await recordAct(transaction, actor, 'people.code', person)
    })
    return code
  }

  /**
   * Begins a session. Undefined if name and code do not match, for any reason: unknown or suspended person, no code, a
   * wrong or expired one, or too many attempts by this client. Response times are the same.
   */
  async withCode(username: string, code: string, asking = here): Promise<NewSession | undefined> {
    const [name, digest] = [username.trim().toLowerCase(), digestOf(normaliseCode(code))]
    const issued = await this.knex.transaction(async transaction => {
      await countTry(transaction, name)
      return await this.first(
        Code,
        transaction('sign_in_codes as c')
          .join('people as p', 'p.id', 'c.person')
          .select('c.person', 'c.digest')
          .where('p.username', name)
          .whereNull('p.suspended_at')
          .whereRaw('c.expires_at > now()')
      )
    })
    const { person, digest: wanted } = issued ?? { person: undefined, digest: dummyDigest }
    const isKnown = await this.#browsers.isKnown(asking.caller, person ?? '')
    const who = isKnown ? digestOf(asking.caller.browser ?? asking.caller.id ?? '').slice(0, 16) : asking.callerHash
    const { count } = await this.#windows.count(
      `try a code:${who}:${digestOf(`${name} ${wanted}`).slice(0, 32)}`,
      tries
    )
    if (count > tries.most || !isSame(digest, wanted) || person === undefined) return undefined
    return await this.#withUsedCode(person, wanted)
  }

  /** Of several requests with the code, only the one that deletes it succeeds. */
  async #withUsedCode(person: string, digest: string): Promise<NewSession | undefined> {
    return await this.knex.transaction(async transaction => {
      const used = await this.rows(
        closed({ person: Text }),
        transaction('sign_in_codes').where({ person, digest }).delete().returning(['person'])
      )
      return used.length === 0 ? undefined : await this.#insert(transaction, person)
    })
  }

  /** Begins a session of a person who is already identified; undefined if they may not sign in. */
  async begin(person: string): Promise<NewSession | undefined> {
    return await this.knex.transaction(async transaction => {
      const known = await this.rows(
        RowId,
        transaction('people').select('id').where({ id: person }).whereNull('suspended_at')
      )
      return known.length === 0 ? undefined : await this.#insert(transaction, person)
    })
  }

  async #insert(transaction: Knex.Transaction, person: string): Promise<NewSession> {
    const secret = newSecret()
    await transaction('sessions').insert({
      digest: digestOf(secret),
      form_token: newSecret(),
      person,
      last_used_on: transaction.raw('current_date'),
      expires_at: transaction.raw("now() + ? * interval '1 day'", [maxDays])
    })
    return { secret, person }
  }

  /** Finds a valid session whose person is not suspended. */
  async find(secret: string): Promise<DataOf<typeof ValidSession> | undefined> {
    const found = await this.first(
      ValidSession,
      this.knex('sessions as s')
        .join('people as p', 'p.id', 's.person')
        .select(
          's.id',
          's.form_token',
          's.signed_in_at',
          's.person',
          'p.roles',
          this.knex.raw('s.last_used_on < current_date as is_stale')
        )
        .where('s.digest', digestOf(secret))
        .whereNull('p.suspended_at')
        .whereRaw('s.expires_at > now() and s.last_used_on > current_date - ?::int', [idleDays])
    )
    if (found?.is_stale === true)
      await this.knex('sessions')
        .where({ id: found.id })
        .update({ last_used_on: this.knex.raw('current_date') })
    return found
  }

  async sessionsOf(person: string) {
    return await this.rows(
      OwnSession,
      this.knex('sessions')
        .select('id', 'signed_in_at', 'last_used_on', 'expires_at')
        .where({ person })
        .whereRaw('expires_at > now()')
        .orderBy('signed_in_at', 'desc')
    )
  }

  /** Ends a session; false if the person has no such session. */
  async end(person: string, id: string): Promise<boolean> {
    return (await this.knex('sessions').where({ person, id }).delete()) > 0
  }
}

/**
 * Returns the attributes of a cookie that scripts cannot read, and that is not sent with requests from other sites,
 * except when a link is followed (RFC 6265bis §4.1.2).
 */
const attributes = (baseUrl: string, days: number): string =>
  `Path=${cookiePath(baseUrl)}; Max-Age=${days * 86_400}; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`

/** Browsers keep cookies for at most 400 days (RFC 6265bis §5.5). */
const browserDays = 400

export const noCookie = (baseUrl: string): string => `${sessionCookie(baseUrl)}=; ${attributes(baseUrl, 0)}`

/**
 * Returns the cookies of a new session, and of the browser, which is recognised from then on. Ends the session that the
 * caller had before, which prevents session fixation.
 */
export async function cookiesOf(
  { secret, person }: NewSession,
  { caller, service }: Readonly<{ caller: Caller; service: Service }>,
  { signIn, browsers }: Readonly<{ signIn: SignIn; browsers: Browsers }>
): Promise<readonly string[]> {
  if (caller.session !== undefined && caller.id !== undefined) await signIn.end(caller.id, caller.session.id)
  const { base_url: baseUrl } = service
  return [
    `${sessionCookie(baseUrl)}=${secret}; ${attributes(baseUrl, maxDays)}`,
    `${browserCookie(baseUrl)}=${await browsers.tokenOf(person)}; ${attributes(baseUrl, browserDays)}`
  ]
}
