import type { AccessModule } from './access.ts'

export const agent: AccessModule = {
  meaning: 'an agent with a key',
  credential: {
    name: 'bearer',
    challenge: 'Bearer',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: 'Key of an agent, given out by a person who is signed in (RFC 6750 §2.1). Never in a URL.'
    }
  }
}
