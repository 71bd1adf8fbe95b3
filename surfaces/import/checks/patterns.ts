/** Whether a pattern is proven to match in linear time. */
export type IsSafe = (pattern: string) => boolean

const atom = String.raw`\[[^\]]+\]|\\.|[^\\()[\]{}|*+?.^$]`
const literal = String.raw`\\[^A-Za-z0-9]|[^\\()[\]{}|*+?.^$]`

/** Parts of patterns that can match in several ways, and replacements that match in only one. */
const rewrites: readonly (readonly [form: RegExp, written: string])[] = [
  // A repetition within a repetition.
  [new RegExp(String.raw`\((?:\?:)?(${atom})\+\)\+`, 'gu'), '$1+'],
  [new RegExp(String.raw`\((?:\?:)?(${atom})[+*]\)[+*]`, 'gu'), '$1*'],
  [new RegExp(String.raw`(\(\?<\w+>(?:${atom})\+\))\+`, 'gu'), '$1'],
  // The same alternative twice.
  [new RegExp(String.raw`\((?:\?:)?(${atom})\|\1\)`, 'gu'), '$1'],
  [/\.\*\.\*/gu, '.*'],
  // Any characters up to a given character become any characters except that one.
  [new RegExp(String.raw`\.([*+])(\)?)(${literal})`, 'gu'), '[^$3]$1$2$3'],
  // A pattern that starts at a character anywhere in the text is anchored at its first occurrence.
  [new RegExp(String.raw`^(${literal})`, 'u'), '^[^$1]*$1']
]

/**
 * Applies the rewrites to a pattern one after the other, and returns it as soon as it is safe; `undefined` when it
 * never is. Where the pattern can match at several places, the safe version matches at the first.
 */
export function saferPattern(pattern: string, isSafe: IsSafe): string | undefined {
  let written = pattern
  for (const [form, better] of rewrites) {
    const next = written.replace(form, better)
    if (next === written) continue
    written = next
    try {
      new RegExp(written, 'u')
    } catch {
      return undefined
    }
    if (isSafe(written)) return written
  }
  return undefined
}

/** Returns a hint for a pattern that is not safe, with a safe version of it if there is one. */
export function unsafeHint(pattern: string, isSafe: IsSafe): string {
  const safer = saferPattern(pattern, isSafe)
  return `${safer === undefined ? '' : `Write \`${safer}\`. `}Anchor it with \`^\`, and write it so that each character can be matched in one way only.`
}

/** Texts that the group of a pattern must not match by itself: picture names, links and sentences. */
const wholes = [
  'abc-001.png',
  'images/abc-001.png',
  'img.example/abc-001',
  'https://img.example/abc-001.png',
  'Draw two cards',
  'Draw two cards, then discard one card.',
  'Draw two cards, then discard one card'
]

/** Returns the part of a pattern inside a named group. */
function groupText(pattern: string, group: string): string {
  const start = pattern.indexOf(`(?<${group}>`) + group.length + 4
  let depth = 1
  let inClass = false
  for (let at = start; at < pattern.length; at++) {
    const sign = pattern[at]
    if (sign === '\\') at++
    else if (inClass) inClass = sign !== ']'
    else if (sign === '[') inClass = true
    else if (sign === '(') depth++
    else if (sign === ')' && --depth === 0) return pattern.slice(start, at)
  }
  return ''
}

/**
 * Whether the group of a pattern matches texts that are never stored. Returns false for an unsafe or invalid pattern,
 * which another check reports.
 */
export function letsThrough(pattern: string, group: string, isSafe: IsSafe): boolean {
  try {
    const form = new RegExp(`^(?:${groupText(pattern, group)})$`, 'u')
    return isSafe(pattern) && wholes.some(whole => form.test(whole))
  } catch {
    return false
  }
}
