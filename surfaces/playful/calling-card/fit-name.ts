type FittedName = Readonly<{ lines: readonly string[]; size: number; widths: readonly number[] }>

/** Created at first use, because that takes 10 ms. */
let segmenter: Intl.Segmenter | undefined
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }))

export const graphemesOf = (text: string): string[] => [...graphemes().segment(text)].map(({ segment }) => segment)

const wide =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u

/** Estimates the width of a grapheme in ems. It rather overestimates, because the reader's fonts are unknown. */
function widthOf(grapheme: string): number {
  if (wide.test(grapheme)) return 1.05
  if (/^[ijl.,:;'|!()[\]I ]/.test(grapheme)) return 0.34
  if (/^[mwMW@%]/.test(grapheme)) return 0.92
  if (/^[a-z0-9]/.test(grapheme)) return 0.53
  return /^\p{Lu}/u.test(grapheme) ? 0.72 : 0.57
}

const widthOfLine = (line: string): number => graphemesOf(line).reduce((sum, grapheme) => sum + widthOf(grapheme), 0)

/** Splits a text into two lines at the space nearest to its middle; without a space it is cut in the middle. */
function halves(text: string): readonly string[] {
  const parts = graphemesOf(text)
  const middle = parts.length / 2
  const spaces = parts
    .flatMap((part, index) => (part === ' ' ? [index] : []))
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  const at = spaces[0] ?? Math.ceil(middle)
  return [parts.slice(0, at).join('').trim(), parts.slice(at).join('').trim()].filter(line => line !== '')
}

/**
 * Fits a name into one or two lines of at most `width` units, in the largest size up to `largest`. `widths` are
 * estimates.
 */
export function fitName(name: string, width: number, largest: number): FittedName {
  const sized = (lines: readonly string[]): FittedName => {
    const size = Math.min(
      lines.length === 1 ? largest : largest * 0.7,
      width / Math.max(...lines.map(widthOfLine), 0.1)
    )
    return { lines, size: Math.round(size * 10) / 10, widths: lines.map(line => Math.round(widthOfLine(line) * size)) }
  }
  const whole = sized([name])
  return whole.size >= largest * 0.62 ? whole : sized(halves(name))
}
