/** Estimates of how wide a text is in a font that is not known, and lines that fit a width. */

/** Created at first use, because that takes 10 ms. */
let segmenter: Intl.Segmenter | undefined
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }))

const plain = /^[\x20-\x7e]*$/

export const graphemesOf = (text: string): string[] =>
  plain.test(text) ? Array.from(text) : [...graphemes().segment(text)].map(({ segment }) => segment)

const wide =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u

/** Estimates the width of a grapheme in ems; rather too large, because the reader's fonts are unknown. */
function widthOf(grapheme: string): number {
  if (/^[a-z0-9]/.test(grapheme)) return /^[ijl]/.test(grapheme) ? 0.34 : /^[mw]/.test(grapheme) ? 0.92 : 0.53
  if (wide.test(grapheme)) return 1.05
  if (/^[.,:;'|!()[\]I ]/.test(grapheme)) return 0.34
  if (/^[MW@%]/.test(grapheme)) return 0.92
  return /^\p{Lu}/u.test(grapheme) ? 0.72 : 0.57
}

const widthOfAll = (parts: readonly string[]): number => parts.reduce((sum, part) => sum + widthOf(part), 0)

/** Estimates the width of a text in ems. */
export const widthOfLine = (line: string): number => widthOfAll(graphemesOf(line))

/** Cuts a text to a width in ems; what was cut ends with `…`. */
export function cutTo(text: string, ems: number): string {
  const parts = graphemesOf(text)
  // A sum in another order may differ in its last digit.
  if (widthOfAll(parts) <= ems + 0.001) return text
  let width = 0.9
  const kept = parts.findIndex(part => (width += widthOf(part)) > ems)
  return `${parts.slice(0, kept).join('').trimEnd()}…`
}

/** Splits a word where it may be broken: after a dot, a dash or the like between its letters. */
const piecesOf = (word: string): readonly string[] =>
  word.match(/.+?(?:[-.·・/&!?"”」]+(?=[^-.·・/&!?"”」])|$)/gsu) ?? []

type Lines = Readonly<{
  lines: readonly string[]
  /** Whether nothing is left out, and no word is broken between two letters. */
  whole: boolean
}>

/**
 * Breaks a text into at most `most` lines of a width in ems, between words where that is possible. What is left out
 * ends with `…`.
 */
export function linesOf(text: string, ems: number, most: number): Lines {
  const lines: string[] = []
  let [line, width, whole] = ['', 0, true]
  const end = (): void => {
    if (line !== '') lines.push(line.trimEnd())
    ;[line, width] = ['', 0]
  }
  for (const word of text.split(/\s+/u).filter(word => word !== '')) {
    if (width > 0) [line, width] = [`${line} `, width + 0.34]
    for (const piece of piecesOf(word)) {
      const parts = graphemesOf(piece)
      if (width > 0 && width + widthOfAll(parts) > ems) end()
      for (const part of parts) {
        if (width > 0 && width + widthOf(part) > ems) {
          end()
          whole &&= wide.test(part)
        }
        line += part
        width += widthOf(part)
      }
    }
  }
  end()
  return lines.length <= most
    ? { lines, whole }
    : { lines: [...lines.slice(0, most - 1), cutTo(lines.slice(most - 1).join(' '), ems)], whole: false }
}
