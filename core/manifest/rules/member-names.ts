import { report } from '../../source/report.ts'
import type { Manifest } from '../schema.ts'
import type { ManifestRule } from './rule.ts'

const selection = ['scope', 'filters_applied', 'filter_vocabulary']

/** The members that a kind writes itself; none where it has no fixed members beside its own. */
function written (manifest: Manifest): readonly string[] {
  switch (manifest.kind) {
    case 'entry': return [manifest.member ?? 'entry']
    case 'collection': return manifest.pick === undefined
      ? [...selection, 'formats', 'returned', manifest.list ?? 'entries']
      : [...selection, 'date', 'all', manifest.list ?? 'entry']
    case 'witness': return ['echo', 'content_hash', 'hash_contract', 'received_at', 'report', 'receipt']
    case 'status-only': return Object.keys(manifest.echo ?? {})
    case 'document': case 'discovery': case 'handler': return []
  }
}

/** M319: fixed members do not stand where the kind writes its own. */
export const memberNames: ManifestRule = ({ source, manifest }) => {
  const own = written(manifest)
  const fixed = 'document' in manifest ? manifest.document : undefined
  return typeof fixed !== 'object' || fixed === null ? [] : Object.keys(fixed).flatMap(name => !own.includes(name) ? [] : [
    report(source, 'M319', ['document', name], `The answer has a member \`${name}\` of its own.`, { on: 'key', hint: 'Choose another name.' })
  ])
}
