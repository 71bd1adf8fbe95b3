import { checkParams } from '../../manifest/rules/code-params.ts'
import { pathForm } from '../../manifest/rules/path-form.ts'
import { contextOf } from '../draft.ts'
import type { ReferenceRule } from './rule.ts'

/**
 * M411, M412: the placeholders of the path must be the path parameters that the code declares, all of them required.
 */
export const declaredParams: ReferenceRule = draft => {
  const context = contextOf(draft)
  return draft.manifests.flatMap(file => {
    const code = file.kind.code?.(file, context)
    // If the path is malformed, its placeholders are not checked.
    return code === undefined || pathForm(file).length > 0 ? [] : checkParams(file, code)
  })
}
