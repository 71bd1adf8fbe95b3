import type { Credential } from './access.ts'

/** What a person who is signed in presents. */
export const session: Credential = {
  name: 'session',
  challenge: 'Cookie',
  scheme: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Session of a signed-in person. Not for agents.' }
}
