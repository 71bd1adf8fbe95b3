import { quotedList } from '../../diagnostics/counted.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { report } from '../../source/report.ts'
import { propertiesOf, requiredOf } from '../entry-fields.ts'
import type { Code } from '../kind.ts'
import type { ManifestFile } from '../manifest-file.ts'
import { placeholdersOf } from '../route.ts'

/** M411, M412: the placeholders of a path are the path parameters that its code declares, all of them required. */
export function checkParams({ source, manifest }: ManifestFile, { what, params = {} }: Code): Diagnostic[] {
  const names = Object.keys(propertiesOf(params))
  const placeholders = placeholdersOf(manifest.path)
  const unread = placeholders.filter(name => !names.includes(name))
  const missing = names.filter(name => !placeholders.includes(name))
  const optional = placeholders.filter(name => names.includes(name) && !requiredOf(params).includes(name))
  return [
    ...unread.map(name =>
      report(source, 'M411', ['path'], `${what} declares no parameter \`${name}\`.`, {
        hint: names.length === 0 ? 'Declare it, or remove the placeholder.' : `It declares ${quotedList(names)}.`
      })
    ),
    ...optional.map(name =>
      report(
        source,
        'M411',
        ['path'],
        `${what} declares \`${name}\` as optional, but a placeholder always has a value.`,
        { hint: 'Make it required.' }
      )
    ),
    ...missing.map(name =>
      report(
        source,
        'M412',
        ['path'],
        `The path has no placeholder for the parameter \`${name}\` of ${what.charAt(0).toLowerCase()}${what.slice(1)}.`,
        { hint: `Write \`{${name}}\` where its value belongs.` }
      )
    )
  ]
}
