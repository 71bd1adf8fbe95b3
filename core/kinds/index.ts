import type { KindModule } from './kind.ts'
import { loadKinds } from './list.ts'

export type { KindModule }

/** In order of their names. */
export const kinds: readonly KindModule[] = await loadKinds()
