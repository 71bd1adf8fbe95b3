const counts = new Intl.NumberFormat('en')

/** Formats an integer with thousands separators: 15,777. */
export const formatCount = (value: number): string => counts.format(value)

/** Converts an identifier to words: `community_observations` becomes `community observations`. */
export const spoken = (name: string): string => name.replaceAll('_', ' ')

/** What pages say in place of words of the code. */
const plainWords: ReadonlyMap<string, string> = new Map([
  ['NOASSERTION', 'none stated'],
  ['wired', 'read'],
  ['fresh', 'up to date'],
  ['stale', 'a few days old'],
  ['very_stale', 'old'],
  ['never_run', 'never imported'],
  ['unknown', 'not known'],
  ['live-confirmed', 'seen and up to date'],
  ['live-probationary', 'seen, with doubts'],
  ['anticipated', 'expected, not seen yet'],
  ['not-declared', 'not declared']
])

/** Says a word of the code in plain English: `never imported` for `never_run`. */
export const inWords = (word: string): string => plainWords.get(word) ?? spoken(word)

/** The same with the word of the code beside it, where they differ. */
export const withCode = (word: string): string => {
  const plain = inWords(word)
  return plain === spoken(word) ? plain : `${plain} (\`${word}\`)`
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

/** Names that were asked for, by tag, because looking one up takes microseconds; at most this many. */
const known = new Map<string, string>()
const mostKnown = 500

/** Returns the English name of a language; an unknown tag is returned unchanged. */
export function languageName(tag: string): string {
  const name = known.get(tag) ?? nameOf(tag)
  if (known.size < mostKnown) known.set(tag, name)
  return name
}

function nameOf(tag: string): string {
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** Formats a time in UTC (ISO 8601) to the minute: `2026-11-20 13:05 UTC`. */
export const formatMinute = (iso8601: string): string => `${iso8601.slice(0, 10)} ${iso8601.slice(11, 16)} UTC`

/** Splits a text into Unicode code points, so that surrogate pairs stay together. */
const signsOf = (text: string): readonly string[] => text.match(/./gsu) ?? []

/**
 * Breaks a text into at most `most` lines of at most `width` characters. Words longer than a line are cut. If text is
 * left out, the last line ends with `…`.
 */
export function wrap(text: string, width: number, most: number): readonly string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    for (const [at, piece] of (word.match(new RegExp(`.{1,${width}}`, 'gsu')) ?? []).entries()) {
      const last = lines.at(-1) ?? ''
      if (last === '') lines[lines.length - 1] = piece
      else if (at === 0 && signsOf(last).length + 1 + signsOf(piece).length <= width)
        lines[lines.length - 1] = `${last} ${piece}`
      else lines.push(piece)
    }
  }
  return lines.length <= most
    ? lines
    : [
        ...lines.slice(0, most - 1),
        `${signsOf(lines[most - 1] ?? '')
          .slice(0, width - 1)
          .join('')}…`
      ]
}

/** Returns the last segment of the path of a tutorial section, by which the path of its page ends too. */
export const lastOf = (path: string): string => path.split('/').at(-1) ?? ''
