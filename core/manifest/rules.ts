import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ManifestFile } from './manifest-file.ts'
import { deprecated } from './rules/deprecated.ts'
import { exampleMethods } from './rules/example-methods.ts'
import { fileMethod } from './rules/file-method.ts'
import { fittingContract } from './rules/fitting-contract.ts'
import { pathForm } from './rules/path-form.ts'
import type { ManifestRule } from './rules/rule.ts'

const rules: readonly ManifestRule[] = [
  fileMethod,
  fittingContract,
  deprecated,
  file => file.kind.check?.(file) ?? [],
  exampleMethods
]

/**
 * Runs all checks of one manifest beyond its schema. The kind's check of the path runs only if the path has the right
 * form.
 */
export function checkManifest(file: ManifestFile): Diagnostic[] {
  const path = pathForm(file)
  return [...(path.length > 0 ? path : (file.kind.checkPath?.(file) ?? [])), ...rules.flatMap(rule => rule(file))]
}
