import { suggestion } from '../../diagnostics/suggest.ts'
import { report } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

/** M426: the successor that a deprecated surface names must be an existing surface. */
export const knownSuccessor: ReferenceRule = ({ manifests, names }) =>
  manifests.flatMap(({ source, manifest: { deprecation } }) => {
    const successor = deprecation?.successor
    return successor === undefined || names.surfaces.has(successor)
      ? []
      : [
          report(source, 'M426', ['deprecation', 'successor'], `There is no surface \`${successor}\`.`, {
            hint: suggestion(successor, [...names.surfaces])
          })
        ]
  })
