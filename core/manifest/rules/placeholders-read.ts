import { report } from '../../source/report.ts'
import { placeholdersOf } from '../route.ts'
import type { ManifestRule } from './rule.ts'

const listed = (names: readonly string[]): string => names.map(name => `\`{${name}}\``).join(', ')

/**
 * M302: the key of an entry surface is a placeholder. M303: every other placeholder would be read by nothing.
 * Status-only surfaces may ignore their placeholders; code declares which it reads (checked with all files).
 */
export const placeholdersRead: ManifestRule = ({ source, manifest }) => {
  const names = placeholdersOf(manifest.path)
  switch (manifest.kind) {
    case 'entry':
      if (!names.includes(manifest.key)) {
        const hint = names.length === 0 ? `Write the path with a placeholder, such as \`${manifest.path}/{${manifest.key}}\`.` : `The path has ${listed(names)}.`
        return [report(source, 'M302', ['key'], `The path has no \`{${manifest.key}}\` placeholder for \`key: ${manifest.key}\`.`, { hint })]
      }
      return names.length === 1 ? [] : [report(source, 'M303', ['path'], `Nothing reads ${listed(names.filter(name => name !== manifest.key))}.`, { hint: 'An entry surface reads its key only.' })]
    case 'document': {
      const unread = names.filter(name => !(name in (manifest.echo ?? {})))
      return unread.length === 0 ? [] : [report(source, 'M303', ['path'], `Nothing reads ${listed(unread)}.`, { hint: 'A `document` surface has no placeholders but those that it echoes.' })]
    }
    case 'collection': case 'witness':
      return names.length === 0 ? [] : [report(source, 'M303', ['path'], `Nothing reads ${listed(names)}.`, { hint: `A \`${manifest.kind}\` surface has no placeholders.` })]
    case 'status-only': case 'discovery': case 'handler': return []
  }
}
