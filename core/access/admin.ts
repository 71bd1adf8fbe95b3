import type { AccessModule } from './access.ts'
import { session } from './session.ts'

export const admin: AccessModule = {
  meaning: 'a signed-in person with the role `admin`',
  credential: session,
  grant: 'admin'
}
