import { quotedList } from '../../diagnostics/counted.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { report } from '../../source/report.ts'
import type { ManifestFile } from '../manifest-file.ts'
import { placeholdersOf } from '../route.ts'

/** Returns placeholders as messages name them. */
export const listed = (names: readonly string[]): string => quotedList(names.map(name => `{${name}}`))

/** M303: the path must not have a placeholder that the surface does not read. */
export function readPlaceholders(
  { source, kind, manifest }: ManifestFile,
  read: readonly string[],
  hint = `A \`${kind.name}\` surface has no placeholders.`
): Diagnostic[] {
  const unread = placeholdersOf(manifest.path).filter(name => !read.includes(name))
  return unread.length === 0 ? [] : [report(source, 'M303', ['path'], `Nothing reads ${listed(unread)}.`, { hint })]
}
