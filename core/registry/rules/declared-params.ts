import { checkParams } from '../../manifest/rules/code-params.ts'
import { pathForm } from '../../manifest/rules/path-form.ts'
import { contextOf } from '../draft.ts'
import type { ReferenceRule } from './rule.ts'

/** M411, M412: placeholders and the path parameters of the code are the same names, all of them required. */
export const declaredParams: ReferenceRule = draft => {
  const context = contextOf(draft)
  return draft.manifests.flatMap(file => {
    const code = file.kind.code?.(file, context)
    // The placeholders of a path that has not the right form say nothing.
    return code === undefined || pathForm(file).length > 0 ? [] : checkParams(file, code)
  })
}
