import type { KindModule } from './kind.ts'
import * as list from './list.ts'

export type { KindModule }

/** Every kind, by name. */
export const kinds: readonly KindModule[] = Object.values(list)
