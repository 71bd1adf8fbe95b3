import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { report, type Pointer } from '../source/report.ts'
import { methods } from '../vocabulary/words.ts'
import type { Code, ManifestFile } from './kind.ts'
import { methodsOf } from './normalise.ts'
import { placeholdersOf } from './paths.ts'

/**
 * Returns what is wrong with a path, and a hint; `undefined` if nothing is. Literal segments may have the `pchar`
 * characters of RFC 3986, except percent escapes.
 */
function problemOf(path: string): readonly [message: string, hint: string] | undefined {
  const cut = /[?#]/.exec(path)?.[0]
  if (cut !== undefined)
    return [
      `The path holds \`${cut}\`.`,
      'A path has no query and no fragment; declare query parameters as filters, or in the handler.'
    ]
  const parts = path.split('/').slice(1)
  const names = new Set<string>()
  for (const [index, part] of parts.entries()) {
    if (part === '' && index < parts.length - 1)
      return ['The path has an empty segment.', 'Write one slash between two segments.']
    if (part === '.' || part === '..')
      return [`The segment \`${part}\` is removed by clients before they ask.`, 'Write the path without dot segments.']
    const name = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(part)?.[1]
    if (name !== undefined) {
      if (names.has(name))
        return [`The placeholder \`{${name}}\` is in the path twice.`, 'Give each placeholder its own name.']
      names.add(name)
    } else if (/[{}]/.test(part))
      return [
        `\`${part}\` is not a segment.`,
        'A placeholder fills a whole segment: `{name}`, of letters, digits and underscores.'
      ]
    else if (!/^[A-Za-z0-9._~!$&'()*+,;=:@-]*$/.test(part))
      return [`\`${part}\` holds a character that a path cannot have.`, 'Use letters, digits, `.`, `-`, `_` and `~`.']
  }
  return undefined
}

/** Returns the names of placeholders as messages show them: `{isbn}`. */
export const quotedPlaceholders = (names: readonly string[], between?: string): string =>
  quotedList(
    names.map(name => `{${name}}`),
    between
  )

/**
 * M301, M321: a path consists of literal segments and whole-segment placeholders; its aliases have the same
 * placeholders.
 */
export function checkPathForm({ source, manifest: { path, aliases = [] } }: ManifestFile): Diagnostic[] {
  const check = (text: string, at: Pointer): Diagnostic[] => {
    const problem = problemOf(text)
    return problem === undefined ? [] : [report(source, 'M301', at, problem[0], { hint: problem[1] })]
  }
  const wrong = check(path, ['path'])
  if (wrong.length > 0) return wrong
  const names = placeholdersOf(path).toSorted()
  return aliases.flatMap((alias, index) => {
    const problems = check(alias, ['aliases', index])
    if (problems.length > 0 || placeholdersOf(alias).toSorted().join() === names.join()) return problems
    const message = `The alias \`${alias}\` has other placeholders than \`${path}\`.`
    const hint =
      names.length === 0 ? 'Write it without placeholders.' : `It needs ${quotedPlaceholders(names, ' and ')}.`
    return [report(source, 'M321', ['aliases', index], message, { hint })]
  })
}

/** M303: the path must not have a placeholder that the surface does not read. */
export function checkPlaceholders(
  { source, kind, manifest }: ManifestFile,
  read: readonly string[],
  hint = `A \`${kind.name}\` surface has no placeholders.`
): Diagnostic[] {
  const unread = placeholdersOf(manifest.path).filter(name => !read.includes(name))
  return unread.length === 0
    ? []
    : [report(source, 'M303', ['path'], `Nothing reads ${quotedPlaceholders(unread)}.`, { hint })]
}

/**
 * M411, M412: the placeholders of a path are the path parameters that the code behind the surface declares, all of them
 * required.
 */
export function checkParams({ source, manifest }: ManifestFile, { what, params = {} }: Code): Diagnostic[] {
  const names = Object.keys(propertiesOf(params))
  const placeholders = placeholdersOf(manifest.path)
  const lower = what.charAt(0).toLowerCase() + what.slice(1)
  const problem = (code: 'M411' | 'M412', message: string, hint: string): Diagnostic =>
    report(source, code, ['path'], message, { hint })
  return [
    ...placeholders.flatMap(name => {
      if (!names.includes(name)) {
        const hint = names.length === 0 ? 'Declare it, or remove the placeholder.' : `It declares ${quotedList(names)}.`
        return [problem('M411', `${what} declares no parameter \`${name}\`.`, hint)]
      }
      const message = `${what} declares \`${name}\` as optional, but a placeholder always has a value.`
      return requiredOf(params).includes(name) ? [] : [problem('M411', message, 'Make it required.')]
    }),
    ...names
      .filter(name => !placeholders.includes(name))
      .map(name => {
        const message = `The path has no placeholder for the parameter \`${name}\` of ${lower}.`
        return problem('M412', message, `Write \`{${name}}\` where its value belongs.`)
      })
  ]
}

/** A check of one manifest beyond its schema. */
type ManifestRule = (file: ManifestFile) => Iterable<Diagnostic>

/**
 * M312: a surface whose only method is not GET has the method at the end of its file name, such as `.post` before
 * `.yaml`; other file names have none.
 */
const fileMethod: ManifestRule = function* ({ id, source, manifest }) {
  const answered = methodsOf(manifest)
  const expected = answered.length > 1 || answered[0] === 'GET' ? undefined : answered[0]
  const inName = methods.find(method => id.endsWith(`.${method.toLowerCase()}`))
  if (inName === expected) return
  const base = inName === undefined ? id : id.slice(0, -(inName.length + 1))
  const says = inName === undefined ? 'does not say its method' : `says \`${inName}\``
  const at = [manifest.method === undefined ? 'kind' : 'method']
  yield report(source, 'M312', at, `The surface answers ${answered.join(', ')}, but the file name ${says}.`, {
    hint: `Rename the file to \`${base}${expected === undefined ? '' : `.${expected.toLowerCase()}`}.yaml\`.`
  })
}

/** M317: the kind must support the contract. Only code can compute the hashes of a structural document. */
const fittingContract: ManifestRule = function* ({ source, kind, manifest }) {
  if (!kind.contracts.includes(manifest.contract))
    yield report(source, 'M317', ['contract'], `A \`${kind.name}\` surface cannot answer with a structural document.`, {
      hint: `Use ${quotedList(kind.contracts, ' or ')}.`
    })
}

/**
 * M322: a deprecated surface must say since when and why, must not have another stability, and its sunset must be later
 * than that date.
 */
const deprecated: ManifestRule = function* ({ source, manifest: { stability, deprecation } }) {
  if (deprecation === undefined) {
    if (stability === 'deprecated')
      yield report(source, 'M322', ['stability'], 'A deprecated surface says since when and why.', {
        hint: 'Add `deprecation: { date, reason }`.'
      })
    return
  }
  const { date, sunset } = deprecation
  if (stability !== undefined && stability !== 'deprecated')
    yield report(source, 'M322', ['stability'], `What is deprecated is not \`${stability}\`.`, {
      hint: 'Remove `stability`, or `deprecation`.'
    })
  else if (sunset !== undefined && sunset <= date) {
    const when = sunset === date ? 'the day on which it is deprecated' : `before it is deprecated on ${date}`
    yield report(source, 'M322', ['deprecation', 'sunset'], `The surface ends on ${sunset}, ${when}.`, {
      hint: 'Give its users time between the two days.'
    })
  }
}

/** M318: examples must use the methods of the surface. */
const exampleMethods: ManifestRule = function* ({ source, manifest }) {
  const answered = methodsOf(manifest)
  for (const [index, { method }] of (manifest.examples ?? []).entries())
    if (method !== undefined && !answered.includes(method))
      yield report(source, 'M318', ['examples', index, 'method'], `The surface does not answer ${method}.`, {
        hint: `It answers ${answered.join(', ')}.`
      })
}

const rules: readonly ManifestRule[] = [
  fileMethod,
  fittingContract,
  deprecated,
  file => file.kind.check?.(file) ?? [],
  exampleMethods
]

/**
 * Runs all checks of one manifest beyond its schema. If the path is malformed, the kind's check of the path is left
 * out.
 */
export function checkManifest(file: ManifestFile): Diagnostic[] {
  const path = checkPathForm(file)
  const ofPath = path.length > 0 ? path : (file.kind.checkPath?.(file) ?? [])
  return [...ofPath, ...rules.flatMap(rule => [...rule(file)])]
}
