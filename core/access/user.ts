import type { AccessModule } from './access.ts'
import { session } from './session.ts'

export const user: AccessModule = { meaning: 'a person who is signed in', credential: session }
