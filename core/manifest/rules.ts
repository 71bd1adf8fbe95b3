import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ManifestFile } from './manifest-file.ts'
import { echoedNames } from './rules/echoed-names.ts'
import { exampleMethods } from './rules/example-methods.ts'
import { fileMethod } from './rules/file-method.ts'
import { filtersAndLimit } from './rules/filters-and-limit.ts'
import { fittingContract } from './rules/fitting-contract.ts'
import { fixedFailure } from './rules/fixed-failure.ts'
import { memberNames } from './rules/member-names.ts'
import { offeredFormats } from './rules/offered-formats.ts'
import { pathForm } from './rules/path-form.ts'
import { placeholdersRead } from './rules/placeholders-read.ts'
import type { ManifestRule } from './rules/rule.ts'
import { witnessFields } from './rules/witness-fields.ts'

const rules: readonly ManifestRule[] = [
  fileMethod, filtersAndLimit, fixedFailure, offeredFormats, fittingContract, witnessFields, echoedNames, memberNames, exampleMethods
]

/** Everything one manifest can get wrong beyond its shape. Rules that read placeholders need a path that has the right form. */
export function checkManifest (file: ManifestFile): Diagnostic[] {
  const path = pathForm(file)
  return [...path.length > 0 ? path : placeholdersRead(file), ...rules.flatMap(rule => rule(file))]
}
