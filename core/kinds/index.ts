import type { KindModule } from './kind.ts'
import { loadKinds } from './list.ts'

export type { KindModule }

/** All kinds, in order of their names. */
export const kinds: readonly KindModule[] = await loadKinds()
