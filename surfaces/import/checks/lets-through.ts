import type { IsSafe } from './safer-pattern.ts'

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
