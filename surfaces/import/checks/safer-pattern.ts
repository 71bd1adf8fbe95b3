/** Whether a pattern is shown to be matched in linear time. */
export type IsSafe = (pattern: string) => boolean

const atom = String.raw`\[[^\]]+\]|\\.|[^\\()[\]{}|*+?.^$]`
const literal = String.raw`\\[^A-Za-z0-9]|[^\\()[\]{}|*+?.^$]`

/** What is matched in several ways, and how it is written to be matched in one. */
const rewrites: readonly (readonly [form: RegExp, written: string])[] = [
  // A repeat of a repeat.
  [new RegExp(String.raw`\((?:\?:)?(${atom})\+\)\+`, 'gu'), '$1+'],
  [new RegExp(String.raw`\((?:\?:)?(${atom})[+*]\)[+*]`, 'gu'), '$1*'],
  [new RegExp(String.raw`(\(\?<\w+>(?:${atom})\+\))\+`, 'gu'), '$1'],
  // One choice twice.
  [new RegExp(String.raw`\((?:\?:)?(${atom})\|\1\)`, 'gu'), '$1'],
  [/\.\*\.\*/gu, '.*'],
  // Anything up to a character: anything but that character.
  [new RegExp(String.raw`\.([*+])(\)?)(${literal})`, 'gu'), '[^$3]$1$2$3'],
  // From a character on, wherever it comes first.
  [new RegExp(String.raw`^(${literal})`, 'u'), '^[^$1]*$1']
]

/**
 * The same pattern written so that it is safe, where one of the usual rewrites makes it so; it takes the first match
 * where there were several.
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

/** What to do about a pattern that is not safe: how to write it, where that is known. */
export function unsafeHint(pattern: string, isSafe: IsSafe): string {
  const safer = saferPattern(pattern, isSafe)
  return `${safer === undefined ? '' : `Write \`${safer}\`. `}Anchor it with \`^\`, and write it so that each character can be matched in one way only.`
}
