import type { KindModule } from './kind.ts'
import { loadKinds } from './list.ts'

export type { KindModule }

/** Every kind, by name. */
export const kinds: readonly KindModule[] = await loadKinds()
