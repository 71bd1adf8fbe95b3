import type { JsonValue } from 'pantry/data'
import type { Issues } from './issues.ts'

type TextRule = Readonly<{
  path: string
  /** The most Unicode scalar values. */
  most: number
  /** Whether line feeds are allowed; CR LF and CR are converted to them. */
  lines?: boolean
}>

// Control characters C0, DEL and C1 (ISO/IEC 6429); the second pattern allows line feeds.
const controls = /[\u0000-\u001f\u007f-\u009f]/
const controlsInLines = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/

/** Reads a required text: trimmed, in Unicode form NFC, not empty, without control characters, and not too long. */
export function readText(
  value: JsonValue | undefined,
  { path, most, lines = false }: TextRule,
  issues: Issues
): string | null {
  if (value === undefined) return issues.add(path, 'required', `\`${path}\` is missing.`)
  if (typeof value !== 'string') return issues.add(path, 'wrong_type', `\`${path}\` must be a text.`)
  if (!value.isWellFormed()) return issues.add(path, 'invalid_format', `\`${path}\` holds an unpaired surrogate.`)
  const text = (lines ? value.replace(/\r\n?/g, '\n') : value).trim().normalize('NFC')
  if (text === '') return issues.add(path, 'required', `\`${path}\` is blank.`)
  if ((lines ? controlsInLines : controls).test(text)) {
    return issues.add(
      path,
      'control_character',
      `\`${path}\` holds a control character${lines ? ' other than a line feed' : ''}.`
    )
  }
  const { length } = Array.from(text)
  if (length > most)
    return issues.add(path, 'too_long', `\`${path}\` has ${length} characters; at most ${most} are taken.`)
  return text
}

/** Reads a text that must be one of a few words, in any letter case. */
export function readWord<Word extends string>(
  value: JsonValue | undefined,
  rule: Readonly<{ path: string; allowed: readonly Word[] }>,
  issues: Issues
): Word | null {
  const { path, allowed } = rule
  const given = readText(value, { path, most: 100 }, issues)?.toLowerCase() ?? null
  if (given === null) return null
  return (
    allowed.find(one => one === given) ??
    issues.add(path, 'unsupported_value', `\`${path}\` must be one of ${allowed.map(one => `\`${one}\``).join(', ')}.`)
  )
}

/** Reads a text that must equal a constant. */
export function readConstant<Constant extends string>(
  value: JsonValue | undefined,
  rule: Readonly<{ path: string; constant: Constant }>,
  issues: Issues
): Constant | null {
  const { path, constant } = rule
  const text = readText(value, { path, most: 100 }, issues)
  if (text === null) return null
  return text === constant ? constant : issues.add(path, 'unsupported_value', `\`${path}\` must be \`${constant}\`.`)
}
