import { report } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

/** M320: what a document surface echoes is not a member of its document already. */
export const echoMembers: ReferenceRule = ({ manifests, documents }) => manifests.flatMap(({ source, manifest }) => {
  if (manifest.kind !== 'document') return []
  const value = documents.get(manifest.document)?.document.value
  return Object.keys(manifest.echo ?? {}).flatMap(name => value === undefined || !Object.hasOwn(value, name) ? [] : [
    report(source, 'M320', ['echo', name], `The document \`${manifest.document}\` has a member \`${name}\` already.`, { on: 'key', hint: 'Choose another name, or remove the member.' })
  ])
})
