import { reportUnknown, type ReferenceRule } from './rule.ts'

/** M426: the successor that a deprecated surface names must be an existing surface. */
export const knownSuccessor: ReferenceRule = ({ manifests, names }) =>
  manifests.flatMap(({ source, manifest: { deprecation } }) => {
    const successor = deprecation?.successor
    return successor === undefined || names.surfaces.has(successor)
      ? []
      : [reportUnknown(source, 'M426', ['deprecation', 'successor'], 'surface', successor, names.surfaces)]
  })
