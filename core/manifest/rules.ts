import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { report } from '../source/report.ts'
import { methods } from '../vocabulary/words.ts'
import type { Code, ManifestFile } from './kind.ts'
import { methodsOf } from './normalise.ts'
import { placeholdersOf } from './paths.ts'

/** Checks one manifest beyond its schema. */
type ManifestRule = (file: ManifestFile) => readonly Diagnostic[]

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

/**
 * M312: the file of a surface with one method other than GET must have that method in its name; other files must not.
 */
const fileMethod: ManifestRule = ({ id, source, manifest }) => {
  const [method = 'GET', ...others] = methodsOf(manifest)
  const inName = methods.find(one => id.endsWith(`.${one.toLowerCase()}`))
  const expected = method === 'GET' || others.length > 0 ? undefined : method
  if (inName === expected) return []
  const base = inName === undefined ? id : id.slice(0, -(inName.length + 1))
  const name = `${base}${expected === undefined ? '' : `.${expected.toLowerCase()}`}.yaml`
  const says = inName === undefined ? 'does not say its method' : `says \`${inName}\``
  return [
    report(
      source,
      'M312',
      manifest.method === undefined ? ['kind'] : ['method'],
      `The surface answers ${methodsOf(manifest).join(', ')}, but the file name ${says}.`,
      { hint: `Rename the file to \`${name}\`.` }
    )
  ]
}

/** M317: the kind must support the contract. Only code can compute the hashes of a structural document. */
const fittingContract: ManifestRule = ({ source, kind, manifest }) =>
  kind.contracts.includes(manifest.contract)
    ? []
    : [
        report(source, 'M317', ['contract'], `A \`${kind.name}\` surface cannot answer with a structural document.`, {
          hint: `Use ${quotedList(kind.contracts, ' or ')}.`
        })
      ]

/** M322: a deprecated surface must say since when and why, and its sunset must be later than that date. */
const deprecated: ManifestRule = ({ source, manifest: { stability, deprecation } }) => {
  if (deprecation === undefined) {
    return stability !== 'deprecated'
      ? []
      : [
          report(source, 'M322', ['stability'], 'A deprecated surface says since when and why.', {
            hint: 'Add `deprecation: { date, reason }`.'
          })
        ]
  }
  if (stability !== undefined && stability !== 'deprecated')
    return [
      report(source, 'M322', ['stability'], `What is deprecated is not \`${stability}\`.`, {
        hint: 'Remove `stability`, or `deprecation`.'
      })
    ]
  const { date, sunset } = deprecation
  if (sunset === undefined || sunset > date) return []
  const when = sunset === date ? 'the day on which it is deprecated' : `before it is deprecated on ${date}`
  return [
    report(source, 'M322', ['deprecation', 'sunset'], `The surface ends on ${sunset}, ${when}.`, {
      hint: 'Give its users time between the two days.'
    })
  ]
}

/** M318: examples must use the methods of the surface. */
const exampleMethods: ManifestRule = ({ source, manifest }) => {
  const allowed = methodsOf(manifest)
  return (manifest.examples ?? []).flatMap(({ method }, index) =>
    method === undefined || allowed.includes(method)
      ? []
      : [
          report(source, 'M318', ['examples', index, 'method'], `The surface does not answer ${method}.`, {
            hint: `It answers ${allowed.join(', ')}.`
          })
        ]
  )
}

const rules: readonly ManifestRule[] = [
  fileMethod,
  fittingContract,
  deprecated,
  file => file.kind.check?.(file) ?? [],
  exampleMethods
]

/**
 * Runs all checks of one manifest beyond its schema. The kind's check of the path runs only if the path has the right
 * form.
 */
export function checkManifest(file: ManifestFile): Diagnostic[] {
  const path = pathForm(file)
  return [...(path.length > 0 ? path : (file.kind.checkPath?.(file) ?? [])), ...rules.flatMap(rule => rule(file))]
}
