import { isSame, newSecret, type Caller } from 'pantry/data'
import type { Secrets } from '../secrets.ts'

const form = /^[\w-]{43}\.[\w-]{43}$/

/**
 * Recognises browsers in which a person has signed in. The browser keeps a token and the service stores nothing; the
 * token only proves, for a given person, that it was issued for them. It does not sign in. Known browsers have codes of
 * their own, which strangers cannot use up.
 */
export class Browsers {
  readonly #secrets: Pick<Secrets, 'sealOf'>

  constructor(secrets: Pick<Secrets, 'sealOf'>) {
    this.#secrets = secrets
  }

  /** Creates a token for a browser in which a person has signed in. */
  async tokenOf(person: string, random = newSecret()): Promise<string> {
    return `${random}.${await this.#secrets.sealOf('browsers', `${random} ${person}`)}`
  }

  /** Whether the request comes from a browser in which the person has signed in before, or from their session. */
  async isKnown({ id, session, browser }: Caller, person: string): Promise<boolean> {
    const token = browser !== undefined && form.test(browser) ? browser : '.'
    // Computed in any case, so that response times reveal nothing.
    const expected = await this.tokenOf(person, token.split('.')[0])
    return isSame(token, expected) || (session !== undefined && id === person)
  }
}
