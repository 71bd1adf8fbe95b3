import { report } from '../../source/report.ts'
import { methodsOf } from '../normalise.ts'
import type { ManifestRule } from './rule.ts'

/** M318: examples must use the methods of the surface. */
export const exampleMethods: ManifestRule = ({ source, manifest }) => {
  const allowed = methodsOf(manifest)
  return (manifest.examples ?? []).flatMap(({ method }, index) =>
    method === undefined || allowed.includes(method)
      ? []
      : [
          report(source, 'M318', ['examples', index, 'method'], `The surface does not answer ${method}.`, {
            hint: `It answers ${allowed.join(', ')}.`
          })
        ]
  )
}
