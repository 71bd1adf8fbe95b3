import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import { nameOfPlace, quotedList, type Diagnostic, type Issue, type IssueRule } from '../diagnostics/diagnostic.ts'
import { didYouMean, keyHint, renamedTo, suggest } from '../diagnostics/suggest.ts'
import { report, type Pointer, type SourceFile } from './report.ts'

const shapeCodeOf: Readonly<Record<IssueRule, DiagnosticCode>> = {
  'unknown-key': 'M203',
  missing: 'M202',
  enum: 'M204',
  const: 'M204',
  type: 'M205',
  pattern: 'M206',
  format: 'M206',
  other: 'M206',
  length: 'M207',
  range: 'M208',
  unique: 'M209'
}

/** Rules about a single value, the most informative ones first. */
const ofValue: readonly IssueRule[] = [
  'const',
  'enum',
  'type',
  'format',
  'range',
  'length',
  'pattern',
  'unique',
  'other'
]

type Options = Readonly<{
  /** Noun for the file in messages: ``a `book` surface``. */
  noun: string
  code?: (rule: IssueRule) => DiagnosticCode
  /** Pointer of the checked value within the file; default: the whole value. */
  base?: Pointer
  /** Returns a better hint for an unknown top-level key, if there is one. */
  hintForKey?: (key: string) => string | undefined
  /**
   * For a missing top-level field, returns another place and hint, for file formats in which a field is not written as
   * `key:`.
   */
  missing?: ((key: string) => Readonly<{ pointer: Pointer; hint: string }>) | undefined
  /**
   * New names of renamed top-level keys, by old name. If an old name is given, its new name is not reported as missing
   * too.
   */
  renamed?: Readonly<Record<string, string>> | undefined
}>

/**
 * Returns a hint for a value with a wrong type: to correct its quotes or indentation, or to remove it; `undefined` if
 * neither is the likely mistake.
 */
function hintForType(source: SourceFile, { message }: Issue, pointer: Pointer): string | undefined {
  if (/ must be a (mapping|list), but this is `null`/.test(message)) return 'Indent its members below it, or remove it.'
  const { line, column } = source.locate(pointer)
  const isQuoted = /^['"]/.test(source.lineAt(line).slice(column - 1))
  const mustBeText = message.includes('must be a text')
  if (isQuoted && !mustBeText) return 'Remove the quotes.'
  return !isQuoted && mustBeText && / is (a|an) (integer|number|boolean)/.test(message) ? 'Quote the value.' : undefined
}

/** Returns a hint how to write a value of the type that the message asks for; empty for other types. */
function formOf({ message, pointer }: Issue, value: unknown): string {
  const mustBe = (words: string): boolean => message.includes(` must be ${words}`)
  const name = pointer.at(-1)
  if (mustBe('a list'))
    return typeof value === 'string' && typeof name === 'string'
      ? `Write a list: \`${name}: [${value}]\`.`
      : 'Write a list: each item on a line of its own after `- `.'
  if (mustBe('a mapping')) return 'Write members as `name: value`, each on an indented line of its own.'
  if (mustBe('a text'))
    return typeof name === 'string' ? `Write one text, such as \`${name}: "a text"\`.` : 'Write one text.'
  if (mustBe('`true` or `false`')) return 'Write `true` or `false`, without quotes.'
  if (mustBe('an integer') && typeof value === 'number') return 'Write a whole number, without a point.'
  return mustBe('an integer') || mustBe('a number') ? 'Write a number in digits, without quotes.' : ''
}

const valueAt = (source: SourceFile, pointer: Pointer): unknown =>
  pointer.reduce<unknown>((at, token) => (at as Record<string | number, unknown> | undefined)?.[token], source.value)

const ownerAt = (pointer: Pointer, noun: string): string =>
  pointer.length === 0 ? noun : `\`${pointer.filter(token => typeof token === 'string').join('.') || 'this object'}\``

function reportIssue(source: SourceFile, issue: Issue, options: Options): Diagnostic {
  const { rule, key = '', message, description } = issue
  const code = options.code?.(rule) ?? shapeCodeOf[rule]
  const pointer = [...(options.base ?? []), ...issue.pointer]
  const allowed = (issue.allowed ?? []).map(String)
  if (rule === 'unknown-key') {
    const parent = issue.pointer.slice(0, -1)
    // In braces, a comma ends an unquoted value: in `{ title: a, b }`, `b` is a key.
    const hint = /\s/.test(key)
      ? 'Quote a text that holds a comma.'
      : ((parent.length === 0 ? options.hintForKey?.(key) : undefined) ?? keyHint(key, allowed))
    const owner = ownerAt(parent, options.noun)
    return report(source, code, pointer, `\`${key}\` is not a field of ${owner}.`, { on: 'key', hint })
  }
  if (rule === 'missing') {
    const place = issue.pointer.length === 0 ? options.missing?.(key) : undefined
    const owner = ownerAt(issue.pointer, options.noun)
    return report(source, code, place?.pointer ?? pointer, `\`${key}\` is required in ${owner}.`, {
      on: 'key',
      hint: place?.hint ?? `Add \`${key}:\`.`
    })
  }
  if (rule === 'enum') {
    const value = valueAt(source, pointer)
    const isText = typeof value === 'string'
    const shown = `\`${isText ? value : JSON.stringify(value)}\``
    const place = nameOfPlace(issue.pointer)
    return report(source, code, pointer, `${shown} is not one of the allowed values for ${place}.`, {
      hint: (isText ? didYouMean(value, allowed) : undefined) ?? `Allowed: ${quotedList(allowed)}.`
    })
  }
  if (rule !== 'type') return report(source, code, pointer, message, { on: issue.on, hint: description })
  const form = (): string => `${formOf(issue, valueAt(source, pointer))} ${description ?? ''}`.trim()
  return report(source, code, pointer, message, { hint: hintForType(source, issue, pointer) ?? form() })
}

/**
 * Converts schema issues of a file to diagnostics with places and hints. Issues that only follow from others are left
 * out.
 */
export function reportIssues(source: SourceFile, issues: readonly Issue[], options: Options): Diagnostic[] {
  const unknown = issues.filter(({ rule }) => rule === 'unknown-key')

  // A missing key is not reported if its misspelling or old name is in the same object: that is one mistake, not two.
  const isMisspelt = ({ key, pointer }: Issue): boolean =>
    unknown.some(
      other =>
        other.pointer.slice(0, -1).join('/') === pointer.join('/') &&
        (renamedTo(options.renamed, other.key ?? '') ?? suggest(other.key ?? '', (other.allowed ?? []).map(String))) ===
          key
    )

  // If a value breaks several rules, only the most informative one is reported.
  const reported = new Map<string, Issue>()
  for (const issue of issues.filter(({ rule }) => ofValue.includes(rule))) {
    const place = `${issue.on} ${issue.pointer.join('/')}`
    const other = reported.get(place)
    if (other === undefined || ofValue.indexOf(issue.rule) < ofValue.indexOf(other.rule)) reported.set(place, issue)
  }
  const mostInformative = new Set(reported.values())

  return issues
    .filter(issue =>
      ofValue.includes(issue.rule) ? mostInformative.has(issue) : !(issue.rule === 'missing' && isMisspelt(issue))
    )
    .map(issue => reportIssue(source, issue, options))
}
