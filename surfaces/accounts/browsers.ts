import { isSame, newSecret, type Caller } from 'pantry/data'
import type { Secrets } from '../secrets.ts'

const form = /^[\w-]{43}\.[\w-]{43}$/

/**
 * Browsers that somebody signed in with. Such a browser keeps a token, and the service nothing: the token says only to
 * whoever asks about a person whether it is theirs. It signs nobody in; strangers cannot use up what is kept for it.
 */
export class Browsers {
  readonly #secrets: Pick<Secrets, 'sealOf'>

  constructor(secrets: Pick<Secrets, 'sealOf'>) {
    this.#secrets = secrets
  }

  /** A token for a browser that a person has signed in with. */
  async tokenOf(person: string, random = newSecret()): Promise<string> {
    return `${random}.${await this.#secrets.sealOf('browsers', `${random} ${person}`)}`
  }

  /** Whether who asks does so with a browser that a person signed in with before, or is signed in as them. */
  async isKnown({ id, session, browser }: Caller, person: string): Promise<boolean> {
    const token = browser !== undefined && form.test(browser) ? browser : '.'
    // It is made in any case: its time says nothing.
    const expected = await this.tokenOf(person, token.split('.')[0])
    return isSame(token, expected) || (session !== undefined && id === person)
  }
}
