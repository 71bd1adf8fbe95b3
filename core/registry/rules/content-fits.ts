import { contextOf } from '../draft.ts'
import type { ReferenceRule } from './rule.ts'

/** Runs each kind's own check of a manifest against the content that the manifest names. */
export const contentFits: ReferenceRule = draft => {
  const context = contextOf(draft)
  return draft.manifests.flatMap(file => file.kind.checkFit?.(file, context) ?? [])
}
