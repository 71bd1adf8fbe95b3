import { quotedList } from '../../diagnostics/counted.ts'
import { formatsOf, formatTable } from '../../format/index.ts'
import { report } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

/** M311: the kind must offer each format of the manifest, be it one of the framework or of `service.yaml`. */
export const offeredFormats: ReferenceRule = ({ service, manifests }) => {
  const table = formatTable(service.formats)
  return manifests.flatMap(file => {
    const { source, kind, manifest } = file
    const offered = new Set([...formatsOf(table, kind.holds), ...(kind.ownFormats?.(file) ?? [])])
    return (manifest.formats ?? []).flatMap((format, index) =>
      offered.has(format)
        ? []
        : [
            report(source, 'M311', ['formats', index], `Kind \`${kind.name}\` does not offer \`${format}\`.`, {
              hint: `It offers ${quotedList(offered)}.`
            })
          ]
    )
  })
}
