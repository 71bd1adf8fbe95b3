import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import { nameOfPlace, quotedList, type Diagnostic, type Issue, type IssueRule } from '../diagnostics/diagnostic.ts'
import { suggest, suggestion } from '../diagnostics/suggest.ts'
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

/** Rules about a single value; the most informative ones come first. */
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
  /** Pointer of the checked value inside the file. */
  base?: Pointer
  /** Returns a better hint for an unknown top-level key, if the caller has one. */
  hintForKey?: (key: string) => string | undefined
  /** Returns the place and the hint for a missing field, for file formats without `key:`. */
  missing?: ((key: string) => Readonly<{ pointer: Pointer; hint: string }>) | undefined
  /**
   * New names of renamed top-level keys, by old name. An old name is reported once, and its new name is not reported as
   * missing.
   */
  renamed?: Readonly<Record<string, string>> | undefined
}>

const inParent = (issue: Issue): string => issue.pointer.filter(token => typeof token === 'string').join('.')

/**
 * Returns a hint for a wrong type: remove or add quotes around a value, or indent the members of a mapping or list that
 * is null.
 */
function hintForType(source: SourceFile, issue: Issue, pointer: Pointer): string | undefined {
  if (/ must be a (mapping|list), but this is `null`/.test(issue.message))
    return 'Indent its members below it, or remove it.'
  const { line, column } = source.locate(pointer)
  const quoted = /^['"]/.test(source.lineAt(line).slice(column - 1))
  if (quoted && !issue.message.includes('must be a text')) return 'Remove the quotes.'
  return !quoted &&
    issue.message.includes('must be a text') &&
    / is (a|an) (integer|number|boolean)/.test(issue.message)
    ? 'Quote the value.'
    : undefined
}

/** Returns how to write a value of the type that the message asks for. */
function formOf({ message, pointer }: Issue, value: unknown): string {
  const wanted = (words: string): boolean => message.includes(` must be ${words}`)
  const name = String(pointer.at(-1) ?? '')
  if (wanted('a list'))
    return typeof value === 'string' && typeof pointer.at(-1) === 'string'
      ? `Write a list: \`${name}: [${value}]\`.`
      : 'Write a list: each item on a line of its own after `- `.'
  if (wanted('a mapping')) return 'Write members as `name: value`, each on an indented line of its own.'
  if (wanted('a text'))
    return typeof pointer.at(-1) === 'string' ? `Write one text, such as \`${name}: "a text"\`.` : 'Write one text.'
  if (wanted('`true` or `false`')) return 'Write `true` or `false`, without quotes.'
  if (wanted('an integer') && typeof value === 'number') return 'Write a whole number, without a point.'
  return wanted('an integer') || wanted('a number') ? 'Write a number in digits, without quotes.' : ''
}

/**
 * Converts the schema issues of a file to diagnostics with exact places and hints, without issues that follow from
 * others.
 */
export function reportIssues(source: SourceFile, issues: readonly Issue[], options: Options): Diagnostic[] {
  const codeOf = options.code ?? (rule => shapeCodeOf[rule])
  const unknown = issues.filter(issue => issue.rule === 'unknown-key')
  const place = (pointer: Issue['pointer']): string => pointer.slice(0, -1).join('/')

  // A missing key whose misspelling is in the same object is one mistake, not two.
  const isMisspelt = (issue: Issue): boolean =>
    issue.key !== undefined &&
    unknown.some(
      other =>
        place(other.pointer) === issue.pointer.join('/') &&
        (options.renamed?.[other.key ?? ''] ?? suggest(other.key ?? '', (other.allowed ?? []).map(String))) ===
          issue.key
    )

  // If a value breaks several rules, only the most informative one is reported.
  const told = new Map<string, Issue>()
  for (const issue of issues.filter(({ rule }) => ofValue.includes(rule))) {
    const at = `${issue.on} ${issue.pointer.join('/')}`
    const other = told.get(at)
    if (other === undefined || ofValue.indexOf(issue.rule) < ofValue.indexOf(other.rule)) told.set(at, issue)
  }
  const isTold = new Set(told.values())

  return issues
    .filter(
      issue => (!ofValue.includes(issue.rule) || isTold.has(issue)) && (issue.rule !== 'missing' || !isMisspelt(issue))
    )
    .map(issue => {
      const pointer = [...(options.base ?? []), ...issue.pointer]
      const code = codeOf(issue.rule)
      const key = issue.key ?? ''
      switch (issue.rule) {
        case 'unknown-key': {
          const atTop = issue.pointer.length === 1
          const owner = atTop
            ? options.noun
            : `\`${inParent({ ...issue, pointer: issue.pointer.slice(0, -1) }) || 'this object'}\``
          // In braces, a comma ends an unquoted value, so the text after it in `a, b` becomes a key.
          const isText = /\s/.test(key) ? 'Quote a text that holds a comma.' : undefined
          const hint =
            isText ??
            (atTop ? options.hintForKey?.(key) : undefined) ??
            suggestion(key, (issue.allowed ?? []).map(String))
          return report(source, code, pointer, `\`${key}\` is not a field of ${owner}.`, { on: 'key', hint })
        }
        case 'missing': {
          const owner = issue.pointer.length === 0 ? options.noun : `\`${inParent(issue) || 'this object'}\``
          const place = (issue.pointer.length === 0 ? options.missing?.(key) : undefined) ?? {
            pointer,
            hint: `Add \`${key}:\`.`
          }
          return report(source, code, place.pointer, `\`${key}\` is required in ${owner}.`, {
            on: 'key',
            hint: place.hint
          })
        }
        case 'enum': {
          const allowed = (issue.allowed ?? []).map(String)
          const value = valueAt(source, pointer)
          const nearest = typeof value === 'string' ? suggest(value, allowed) : undefined
          const hint = nearest === undefined ? `Allowed: ${quotedList(allowed)}.` : `Did you mean \`${nearest}\`?`
          return report(
            source,
            code,
            pointer,
            `\`${typeof value === 'string' ? value : JSON.stringify(value)}\` is not one of the allowed values for ${nameOfPlace(issue.pointer)}.`,
            { hint }
          )
        }
        case 'type':
          return report(source, code, pointer, issue.message, {
            hint:
              hintForType(source, issue, pointer) ??
              [formOf(issue, valueAt(source, pointer)), issue.description ?? ''].join(' ').trim()
          })
        case 'const':
        case 'pattern':
        case 'format':
        case 'length':
        case 'range':
        case 'unique':
        case 'other':
          return report(source, code, pointer, issue.message, { on: issue.on, hint: issue.description })
      }
    })
}

const valueAt = (source: SourceFile, pointer: Pointer): unknown =>
  pointer.reduce<unknown>((at, token) => (at as Record<string | number, unknown> | undefined)?.[token], source.value)
