import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { propertiesOf, requiredOf } from '../../manifest/entry-fields.ts'
import type { Code } from '../../manifest/kind.ts'
import type { ManifestFile } from '../../manifest/manifest-file.ts'
import { pathForm } from '../../manifest/rules/path-form.ts'
import { placeholdersOf } from '../../manifest/route.ts'
import { report } from '../../source/report.ts'
import { contextOf } from '../draft.ts'
import type { ReferenceRule } from './rule.ts'

/**
 * M411, M412: the placeholders of the path must be the path parameters that the code declares, all of them required.
 */
export const declaredParams: ReferenceRule = draft => {
  const context = contextOf(draft)
  return draft.manifests.flatMap(file => {
    const code = file.kind.code?.(file, context)
    // If the path is malformed, its placeholders are not checked.
    return code === undefined || pathForm(file).length > 0 ? [] : checkParams(file, code)
  })
}

function checkParams({ source, manifest }: ManifestFile, { what, params = {} }: Code): Diagnostic[] {
  const names = Object.keys(propertiesOf(params))
  const placeholders = placeholdersOf(manifest.path)
  const unread = placeholders.filter(name => !names.includes(name))
  const missing = names.filter(name => !placeholders.includes(name))
  const optional = placeholders.filter(name => names.includes(name) && !requiredOf(params).includes(name))
  return [
    ...unread.map(name =>
      report(source, 'M411', ['path'], `${what} declares no parameter \`${name}\`.`, {
        hint:
          names.length === 0
            ? 'Declare it, or remove the placeholder.'
            : `It declares ${names.map(one => `\`${one}\``).join(', ')}.`
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
