/** The most characters of a name, or of a text that is looked for, that count. */
export const longestKey = 80

/** Letters that Unicode does not decompose, as people type them without their mark. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i'
}

/**
 * The form in which names are compared: lower case, without the marks of Latin, Greek and Cyrillic letters,
 * compatibility forms (full width, ligatures) as ordinary letters (Unicode NFKD), apostrophes left out, and one space
 * for whatever else is no letter and no digit. `Monkey.D.Luffy` is `monkey d luffy`; marks that make another letter, as
 * in Japanese, stay.
 */
export const foldName = (text: string): string =>
  (/^[a-z0-9 ]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f'’ʼ`´]+/g, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(/[ßæœøđðłþı]/g, letter => plain[letter] ?? letter)
        .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
  )
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, longestKey)
    .trimEnd()

const signsOf = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim().slice(0, longestKey).trimEnd()

/** What names are looked up by: the folded name, and of one without a letter or digit, such as `_____`, its signs. */
export const nameKey = (text: string): string => foldName(text) || signsOf(text)

/**
 * Whether a key is too short to be the beginning of others: one character, or signs. It means the names that are it.
 */
export const isWholeName = (key: string): boolean =>
  /^.?$/su.test(key.replaceAll(' ', '')) || !/[\p{L}\p{N}]/u.test(key)

/** Scripts that write words without spaces between them: every character may begin one. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

export const wordsOf = (folded: string): readonly string[] => (folded === '' ? [] : folded.split(' '))

/** A folded name from each place on where a word begins, but for the first. One character is no beginning. */
export function innerStarts(folded: string): readonly string[] {
  const starts: string[] = []
  for (let at = 1; at < folded.length - 1; at += 1) {
    const begins = folded.charAt(at - 1) === ' ' || (folded.charAt(at) !== ' ' && unspaced.test(folded.charAt(at)))
    if (begins && folded.charAt(at + 1) !== ' ') starts.push(folded.slice(at))
  }
  return [...new Set(starts)]
}

/**
 * How many letters of a word may be wrong, missing, too many or swapped with their neighbour: none of a short one. A
 * character of an unspaced script says more than a letter.
 */
export const mistakesIn = (word: string): number =>
  word.length < (unspaced.test(word) ? 3 : 4) ? 0 : word.length < 7 ? 1 : 2

/**
 * Marks of a word and of what it is without any one of its letters: two words with one letter wrong, missing, too many
 * or swapped share one. Other words may share it too.
 */
export function mistakeMarks(word: string): readonly number[] {
  const marks = new Set([markOf(word)])
  for (let at = 0; at < word.length; at += 1) marks.add(markOf(word.slice(0, at) + word.slice(at + 1)))
  return [...marks]
}

/** FNV-1a over UTF-16 code units, as the signed integer that the database keeps. */
function markOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}
