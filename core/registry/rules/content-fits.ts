import { contextOf } from '../draft.ts'
import type { ReferenceRule } from './rule.ts'

/** What a manifest says about the content it names, as its kind knows it. */
export const contentFits: ReferenceRule = draft => {
  const context = contextOf(draft)
  return draft.manifests.flatMap(file => file.kind.checkFit?.(file, context) ?? [])
}
