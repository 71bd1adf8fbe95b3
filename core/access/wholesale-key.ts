import type { AccessModule } from './access.ts'

export const wholesaleKey: AccessModule = {
  meaning: 'a wholesale partner with a key',
  credential: {
    name: 'wholesaleKey',
    challenge: 'Bearer',
    scheme: { type: 'http', scheme: 'bearer', description: 'Key of a wholesale partner.' }
  }
}
