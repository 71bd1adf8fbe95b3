import { hiraganaOf, romanised } from './kana.ts'

/** The most characters of a name or search text that are compared. */
export const maxKeyLength = 80

/** Letters that Unicode does not decompose, with their replacements without a mark. */
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

/** Signs that people write as words, and the letters that they use for them. */
const spoken: Readonly<Record<string, string>> = { '&': ' and ', '＆': ' and ', '♀': ' f ', '♂': ' m ' }

/**
 * Returns the form in which names are compared: lower case, without diacritics on Latin, Greek and Cyrillic letters,
 * with compatibility characters (full width, ligatures) replaced (Unicode NFKD), without apostrophes, with `and` for
 * `&`, `f` and `m` for the signs of the sexes, with one space for each run of other signs, with hiragana for katakana,
 * and cut to `maxKeyLength`. `Monkey.D.Luffy` becomes `monkey d luffy`. Marks that make a different letter, as in
 * Japanese, stay.
 */
export const foldName = (text: string): string =>
  (/^[\x20-\x7e]*$/.test(text) ? foldLatin(text) : foldScripts(text))
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, maxKeyLength)
    .trimEnd()

/** Most names are ASCII, for which less has to be looked at. */
const foldLatin = (text: string): string =>
  /[^a-zA-Z0-9 ]/.test(text)
    ? text
        .replaceAll('&', ' and ')
        .replace(/['`]+/g, '')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, ' ')
    : text.toLowerCase()

const foldScripts = (text: string): string =>
  hiraganaOf(
    text
      .replace(/[&＆♀♂]/g, sign => spoken[sign] ?? sign)
      .normalize('NFKD')
      .replace(/[\u0300-\u036f'’ʼ`´]+/g, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[ßæœøđðłþı]/g, letter => plain[letter] ?? letter)
  ).replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')

/** Returns a folded text without spaces, as in `pokeball` for `poke ball`. */
export const compact = (folded: string): string => folded.replaceAll(' ', '')

/** Returns the forms in which a folded name is found: as it is, without spaces, and kana in Latin letters. */
export const formsOf = (folded: string): readonly string[] => {
  const [whole, latin] = [compact(folded), romanised(folded)]
  return [folded, ...(whole === folded ? [] : [whole]), ...(latin === folded || latin === whole ? [] : [latin])]
}

const signsOf = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim().slice(0, maxKeyLength).trimEnd()

/**
 * Returns the key by which names are looked up: the folded name, or the signs of a name without letters and digits,
 * such as `_____`.
 */
export const nameKey = (text: string): string => foldName(text) || signsOf(text)

/**
 * Whether a key is too short for a prefix search: one character, or only signs. Such a key matches only equal names.
 */
export const isWholeName = (key: string): boolean => /^.?$/su.test(compact(key)) || !/[\p{L}\p{N}]/u.test(key)

/** Scripts without spaces between words, in which every character may begin a word. */
export const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

export const wordsOf = (folded: string): readonly string[] => (folded === '' ? [] : folded.split(' '))

/**
 * Returns the rest of a folded name from each word start, except the first. Rests that begin with a one-letter word are
 * left out.
 */
export function innerStarts(folded: string): readonly string[] {
  const starts: string[] = []
  for (let at = 1; at < folded.length - 1; at += 1) {
    const begins = folded.charAt(at - 1) === ' ' || (folded.charAt(at) !== ' ' && unspaced.test(folded.charAt(at)))
    if (begins && folded.charAt(at + 1) !== ' ') starts.push(folded.slice(at))
  }
  return [...new Set(starts)]
}

/**
 * Returns how many letters of a word may be wrong, missing, extra or swapped with a neighbour; 0 for a short word.
 * Words in unspaced scripts need fewer characters, because each carries more information.
 */
export const maxMistakesIn = (word: string): number =>
  word.length < (unspaced.test(word) ? 3 : 4) ? 0 : word.length < 7 ? 1 : 2

/**
 * Returns hashes of a word and of the word without each one of its letters. Two words that differ by one wrong,
 * missing, extra or swapped letter share a hash; unrelated words may share one too.
 */
export function deletionHashes(word: string): readonly number[] {
  const marks = new Set([fnv1a(word)])
  for (let at = 0; at < word.length; at += 1) marks.add(fnv1a(word.slice(0, at) + word.slice(at + 1)))
  return [...marks]
}

/** Returns the FNV-1a hash over UTF-16 code units, as the signed integer that the database stores. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}
