import { report } from '../../source/report.ts'
import type { ManifestRule } from './rule.ts'

const written = ['scope', 'filters_applied', 'filter_vocabulary', 'formats', 'returned']

/** M319: fixed members do not stand where the kind writes its own. */
export const memberNames: ManifestRule = ({ source, manifest }) => {
  if (manifest.kind !== 'collection' && manifest.kind !== 'entry') return []
  const content = manifest.kind === 'entry' ? manifest.member ?? 'entry' : manifest.list ?? (manifest.pick === undefined ? 'entries' : 'entry')
  const own = manifest.kind === 'entry' ? [content] : manifest.pick === undefined ? [...written, content] : ['date', content]
  return Object.keys(manifest.document ?? {}).flatMap(name => !own.includes(name) ? [] : [
    report(source, 'M319', ['document', name], `The answer has a member \`${name}\` of its own.`, { on: 'key', hint: 'Choose another name.' })
  ])
}
