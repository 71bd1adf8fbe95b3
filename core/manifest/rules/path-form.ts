import { quotedList } from '../../diagnostics/counted.ts'
import { report } from '../../source/report.ts'
import { placeholdersOf } from '../route.ts'
import type { ManifestRule } from './rule.ts'

/**
 * Returns what is wrong with a path, or `undefined`. Literals may have the `pchar` characters of RFC 3986, except
 * percent escapes.
 */
function problemOf(path: string): readonly [message: string, hint: string] | undefined {
  const cut = /[?#]/.exec(path)?.[0]
  if (cut !== undefined)
    return [
      `The path holds \`${cut}\`.`,
      'A path has no query and no fragment; declare query parameters as filters, or in the handler.'
    ]
  const parts = path.split('/').slice(1)
  const seen = new Set<string>()
  for (const [index, part] of parts.entries()) {
    if (part === '' && index < parts.length - 1)
      return ['The path has an empty segment.', 'Write one slash between two segments.']
    if (part === '.' || part === '..')
      return [`The segment \`${part}\` is removed by clients before they ask.`, 'Write the path without dot segments.']
    const name = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(part)?.[1]
    if (name !== undefined && seen.has(name))
      return [`The placeholder \`{${name}}\` is in the path twice.`, 'Give each placeholder its own name.']
    if (name !== undefined) seen.add(name)
    else if (/[{}]/.test(part))
      return [
        `\`${part}\` is not a segment.`,
        'A placeholder fills a whole segment: `{name}`, of letters, digits and underscores.'
      ]
    else if (!/^[A-Za-z0-9._~!$&'()*+,;=:@-]*$/.test(part))
      return [`\`${part}\` holds a character that a path cannot have.`, 'Use letters, digits, `.`, `-`, `_` and `~`.']
  }
  return undefined
}

/**
 * M301, M321: a path must consist of literal segments and whole-segment placeholders; an alias must have the same
 * placeholders.
 */
export const pathForm: ManifestRule = ({ source, manifest }) => {
  const problem = problemOf(manifest.path)
  if (problem !== undefined) return [report(source, 'M301', ['path'], problem[0], { hint: problem[1] })]
  const names = placeholdersOf(manifest.path).toSorted()
  return (manifest.aliases ?? []).flatMap((alias, index) => {
    const wrong = problemOf(alias)
    if (wrong !== undefined) return [report(source, 'M301', ['aliases', index], wrong[0], { hint: wrong[1] })]
    return placeholdersOf(alias).toSorted().join() === names.join()
      ? []
      : [
          report(
            source,
            'M321',
            ['aliases', index],
            `The alias \`${alias}\` has other placeholders than \`${manifest.path}\`.`,
            {
              hint:
                names.length === 0
                  ? 'Write it without placeholders.'
                  : `It needs ${quotedList(
                      names.map(name => `{${name}}`),
                      ' and '
                    )}.`
            }
          )
        ]
  })
}
