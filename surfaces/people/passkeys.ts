import { randomBytes } from 'node:crypto'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON
} from '@simplewebauthn/server'
import { closed, Count, digestOf, isLocal, isObject, isSame, nullable, Text, Type, type JsonValue } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { Secrets } from '../common/secrets.ts'
import { recordAct, changeAndRecord } from './acts.ts'
import { lockPerson, Repository, RowId, type Store } from '../common/repository.ts'

/** A challenge is valid for five minutes and can be used once. */
const challengeMinutes = 5

export const maxPasskeys = 20

export const Passkey = closed({ id: Text, name: Text, created_at: Text, last_used_on: nullable(Text) })

const StoredPasskey = closed({
  id: Text,
  person: Text,
  credential: Text,
  public_key: Type.Unsafe<Uint8Array<ArrayBuffer>>({}),
  counter: Type.Integer()
})

/** The response of a browser (WebAuthn Level 3, §5.1); its parts are checked when it is verified. */
const credentialSchema = <T>(part: string) =>
  Type.Unsafe<T>({
    type: 'object',
    required: ['id', 'rawId', 'type', 'response'],
    additionalProperties: true,
    properties: {
      id: { type: 'string' },
      rawId: { type: 'string' },
      type: { const: 'public-key' },
      response: {
        type: 'object',
        required: ['clientDataJSON', part],
        additionalProperties: true,
        properties: { clientDataJSON: { type: 'string' }, [part]: { type: 'string' } }
      }
    },
    description: 'What the browser answers, as JSON (WebAuthn Level 3).'
  })
export const RegistrationOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({
  type: 'object',
  description: 'What a browser needs to make a passkey (WebAuthn Level 3, §5.1.9).'
})
export const AuthenticationOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({
  type: 'object',
  description: 'What a browser needs to ask for a passkey (WebAuthn Level 3, §5.1.10).'
})
export const RegistrationResponse = credentialSchema<RegistrationResponseJSON>('attestationObject')
export const AuthenticationResponse = credentialSchema<AuthenticationResponseJSON>('authenticatorData')

type PasskeyService = Readonly<{ name: string; base_url: string }>

/**
 * Returns how browsers know the service. They accept host names and `localhost`, but no IP addresses (WebAuthn Level 3,
 * §5.1.3), so each local address counts as `localhost`.
 */
function relyingParty(baseUrl: string): Readonly<{ id: string; origin: string }> {
  const { protocol, hostname, port, origin } = new URL(baseUrl)
  return isLocal(baseUrl)
    ? { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` }
    : { id: hostname, origin }
}

/**
 * Returns the challenge in the response of a browser, or an empty text. `#isOurs` checks by its seal whether the
 * service issued it.
 */
function challengeIn(clientDataJson: string): string {
  try {
    const data = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as JsonValue
    return isObject(data) && typeof data['challenge'] === 'string' ? data['challenge'] : ''
  } catch {
    return ''
  }
}

/** The challenge of a response, and what the library must find in it. */
function expectedOf({ response }: Readonly<{ response: { clientDataJSON: string } }>, baseUrl: string) {
  const [challenge, party] = [challengeIn(response.clientDataJSON), relyingParty(baseUrl)]
  return {
    challenge,
    expected: {
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true
    }
  }
}

/** Passkeys of people. Only public keys are stored, with which nobody can sign in. */
export class Passkeys extends Repository {
  readonly #secrets: Secrets

  constructor(store: Store, secrets = new Secrets(store)) {
    super(store)
    this.#secrets = secrets
  }

  async of(person: string) {
    return await this.rows(
      Passkey,
      this.knex('passkeys').select(Object.keys(Passkey.properties)).where({ person }).orderBy('created_at')
    )
  }

  async registrationOptions(
    { id: person, username }: Readonly<{ id: string; username: string }>,
    { name, base_url: baseUrl }: PasskeyService
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const own = await this.rows(
      closed({ credential: Text }),
      this.knex('passkeys').select('credential').where({ person })
    )
    return await generateRegistrationOptions({
      challenge: await this.#challenge(person),
      rpName: name,
      rpID: relyingParty(baseUrl).id,
      userName: username,
      userID: new Uint8Array(Buffer.from(person.replaceAll('-', ''), 'hex')),
      attestationType: 'none',
      excludeCredentials: own.map(({ credential }) => ({ id: credential })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' }
    })
  }

  /**
   * Stores a passkey. False if it was not created for an unused challenge of this person, is stored already, or is one
   * more than `maxPasskeys`.
   */
  async register(
    person: string,
    name: string,
    response: RegistrationResponseJSON,
    { base_url: baseUrl }: PasskeyService
  ): Promise<boolean> {
    const { challenge, expected } = expectedOf(response, baseUrl)
    if (!(await this.#isOurs(challenge, person))) return false
    const verified = await verifyRegistrationResponse({ response, ...expected }).catch(() => undefined)
    if (verified?.registrationInfo === undefined) return false
    const { id, publicKey, counter } = verified.registrationInfo.credential
    return await this.knex.transaction(async transaction => {
      if (!(await this.#use(transaction, challenge))) return false
      await lockPerson(transaction, person)
      const kept = await this.rows(
        RowId,
        transaction.raw(
          `
        insert into passkeys (person, credential, public_key, counter, name) select ?, ?, ?, ?, ?
        where (select count(*) from passkeys where person = ?) < ? on conflict (credential) do nothing returning id`,
          [person, id, Buffer.from(publicKey), counter, name, person, maxPasskeys]
        )
      )
      if (kept.length > 0) await recordAct(transaction, person, 'passkeys.add', person)
      return kept.length > 0
    })
  }

  /**
   * Returns options that are the same for everyone except for the challenge, so that they do not reveal who has an
   * account.
   */
  async signInOptions({ base_url: baseUrl }: PasskeyService): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return await generateAuthenticationOptions({
      challenge: await this.#challenge(),
      rpID: relyingParty(baseUrl).id,
      userVerification: 'required',
      allowCredentials: []
    })
  }

  /**
   * Returns the person whose passkey signed the challenge; undefined if the response is invalid for any reason, or used
   * before.
   */
  async verify(
    response: AuthenticationResponseJSON,
    { base_url: baseUrl }: PasskeyService
  ): Promise<string | undefined> {
    const { knex } = this
    const { challenge, expected } = expectedOf(response, baseUrl)
    if (!(await this.#isOurs(challenge))) return undefined
    const stored = await this.first(
      StoredPasskey,
      knex('passkeys')
        .select('id', 'person', 'credential', 'public_key', knex.raw('counter::int'))
        .where({ credential: response.id })
    )
    if (stored === undefined) return undefined
    const { id, person, credential, public_key: publicKey, counter } = stored
    const verified = await verifyAuthenticationResponse({
      response,
      ...expected,
      credential: { id: credential, publicKey: new Uint8Array(publicKey), counter }
    }).catch(() => undefined)
    if (verified?.verified !== true || !(await this.#use(knex, challenge))) return undefined
    await knex('passkeys')
      .where({ id })
      .update({ counter: verified.authenticationInfo.newCounter, last_used_on: knex.raw('current_date') })
    return person
  }

  /** Removes a passkey; false if the person has no such passkey. */
  async remove(person: string, id: string): Promise<boolean> {
    const removed = await changeAndRecord(this.store, person, 'passkeys.remove', transaction =>
      transaction('passkeys').where({ person, id }).delete().returning('id')
    )
    return removed !== undefined
  }

  /**
   * Creates a challenge, for signing in if `person` is empty. It is sealed and not stored, so that many requests cannot
   * use up storage.
   */
  async #challenge(person = ''): Promise<Uint8Array<ArrayBuffer>> {
    const end = (await this.#seconds()) + challengeMinutes * 60
    const text = `${randomBytes(16).toString('base64url')}.${end.toString(36)}`
    return new Uint8Array(Buffer.from(`${text}.${await this.#secrets.sealOf('challenges', `${text} ${person}`)}`))
  }

  /** Whether the service issued the challenge for this person, or for signing in, and it has not expired. */
  async #isOurs(challenge: string, person = ''): Promise<boolean> {
    const [random = '', end = '', seal = ''] = Buffer.from(challenge, 'base64url').toString().split('.')
    return (
      isSame(seal, await this.#secrets.sealOf('challenges', `${random}.${end} ${person}`)) &&
      Number.parseInt(end, 36) > (await this.#seconds())
    )
  }

  async #seconds(): Promise<number> {
    const statement = this.knex.raw('select extract(epoch from now())::int as seconds')
    return (await this.first(closed({ seconds: Count }), statement))?.seconds ?? 0
  }

  /**
   * Marks a challenge as used; false if it was used before. The row is kept for five minutes, until after the challenge
   * has expired.
   */
  async #use(knex: Knex, challenge: string): Promise<boolean> {
    const inserted = await this.rows(
      closed({ digest: Text }),
      knex('passkey_challenges')
        .insert({
          digest: digestOf(challenge),
          expires_at: knex.raw("now() + ? * interval '1 minute'", [challengeMinutes])
        })
        .onConflict('digest')
        .ignore()
        .returning('digest')
    )
    return inserted.length > 0
  }
}
