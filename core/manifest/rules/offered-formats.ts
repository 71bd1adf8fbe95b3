import { report } from '../../source/report.ts'
import type { ManifestRule } from './rule.ts'

/** M311: a format that the kind offers. */
export const offeredFormats: ManifestRule = ({ source, kind, manifest }) => (manifest.formats ?? []).flatMap((format, index) => kind.formats.includes(format) ? [] : [
  report(source, 'M311', ['formats', index], `Kind \`${kind.name}\` does not offer \`${format}\`.`, { hint: `It offers ${kind.formats.map(one => `\`${one}\``).join(', ')}.` })
])
