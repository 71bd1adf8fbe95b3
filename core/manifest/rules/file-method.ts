import { report } from '../../source/report.ts'
import { methods } from '../../vocabulary/words.ts'
import { methodsOf } from '../normalise.ts'
import type { ManifestRule } from './rule.ts'

/**
 * M312: the file of a surface with one method other than GET must have that method in its name; other files must not.
 */
export const fileMethod: ManifestRule = ({ id, source, manifest }) => {
  const [method = 'GET', ...others] = methodsOf(manifest)
  const inName = methods.find(one => id.endsWith(`.${one.toLowerCase()}`))
  const expected = method === 'GET' || others.length > 0 ? undefined : method
  if (inName === expected) return []
  const base = inName === undefined ? id : id.slice(0, -(inName.length + 1))
  const name = `${base}${expected === undefined ? '' : `.${expected.toLowerCase()}`}.yaml`
  const says = inName === undefined ? 'does not say its method' : `says \`${inName}\``
  return [
    report(
      source,
      'M312',
      manifest.method === undefined ? ['kind'] : ['method'],
      `The surface answers ${methodsOf(manifest).join(', ')}, but the file name ${says}.`,
      { hint: `Rename the file to \`${name}\`.` }
    )
  ]
}
