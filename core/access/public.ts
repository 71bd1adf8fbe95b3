import type { AccessModule } from './access.ts'

export const everyone: AccessModule = { meaning: 'everyone' }
