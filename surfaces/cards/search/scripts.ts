import { foldName } from './fold-name.ts'
import type { NameIndex } from './name-index.ts'

/** Scripts in which names are written, each with the first and the last of its characters that `foldName` leaves. */
const scripts: readonly (readonly [name: string, test: RegExp, first: string, last: string])[] = [
  ['Japanese kana', /[\p{sc=Hiragana}\p{sc=Katakana}]/u, 'ぁ', 'ヿ'],
  ['Chinese characters', /\p{sc=Han}/u, '㐀', '鿿'],
  ['Korean', /\p{sc=Hangul}/u, '가', '힣'],
  ['Cyrillic', /\p{sc=Cyrillic}/u, 'Ѐ', 'ԯ'],
  ['Greek', /\p{sc=Greek}/u, 'Ͱ', 'Ͽ'],
  ['Thai', /\p{sc=Thai}/u, '฀', '๿'],
  ['Arabic', /\p{sc=Arabic}/u, '؀', 'ۿ'],
  ['Hebrew', /\p{sc=Hebrew}/u, '֐', '׿']
]

/** The names of the scripts. */
export const scriptNames = scripts.map(([name]) => name)

/** Returns those scripts of a text in which no word of a name begins. */
export async function scriptsNotHeld(
  index: NameIndex,
  q: string,
  game: string | undefined
): Promise<readonly string[]> {
  const text = foldName(q)
  const written = scripts.filter(([, test]) => test.test(text))
  const held = await Promise.all(written.map(async ([, , first, last]) => await index.holdsBetween(first, last, game)))
  return written.filter((_, at) => held[at] === false).map(([name]) => name)
}
