/** A whole number as people write it: 15,777. */
export const counted = (value: number): string => value.toLocaleString('en')

/** A name of the code as words: `community_observations` becomes `community observations`. */
export const spoken = (name: string): string => name.replaceAll('_', ' ')

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

/** A language by its English name; a tag that has none stays as it is. */
export function languageName(tag: string): string {
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** A moment to the minute, in UTC. */
export const moment = (iso8601: string): string => `${iso8601.slice(0, 10)} ${iso8601.slice(11, 16)} UTC`

/** Unicode code points, so that no sign is cut in half. */
const signsOf = (text: string): readonly string[] => text.match(/./gsu) ?? []

/**
 * Lines of at most `width` characters; a word that is longer is cut, as are texts without spaces. The last line says
 * that more follows.
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

/** The id in which the path of a section of the tutorial ends, as that of its page does. */
export const lastOf = (path: string): string => path.split('/').at(-1) ?? ''
