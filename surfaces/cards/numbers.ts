/** Ratios of numbers, and the natural order of texts that contain numbers. */
import { Type, closed } from 'pantry/data'

/** A fraction of two integers without a common divisor. */
export const Ratio = closed({ numerator: Type.Integer({ minimum: 0 }), denominator: Type.Integer({ minimum: 1 }) })

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** `ratioOf` rounds both numbers to this many decimal places. */
const places = 9

/**
 * Returns the ratio of two numbers in lowest terms. Throws a RangeError unless `part` is at least 0 and `whole` is
 * greater than 0.
 */
export function ratioOf(part: number, whole: number): { numerator: number; denominator: number } {
  if (!(part >= 0 && whole > 0)) throw new RangeError(`${part} of ${whole} is no ratio.`)
  const scale = 10 ** ([0, 1, 2, 3, 4, 5, 6, 7, 8].find(many => isWhole(part, many) && isWhole(whole, many)) ?? places)
  const [numerator, denominator] = [Math.round(part * scale), Math.round(whole * scale)]
  const common = divisor(numerator, denominator)
  return { numerator: numerator / common, denominator: denominator / common }
}

/** Whether a number has at most `many` decimal places. */
const isWhole = (value: number, many: number): boolean => Number(value.toFixed(many)) === Number(value.toFixed(places))

/** Returns the ratio of two numbers as a decimal, rounded to 12 places. */
export const decimalOf = (part: number, whole: number): number => Number((part / whole).toFixed(12))

const runs = /[0-9]+|[^0-9]+/g

/**
 * Returns a text whose order by code units is the natural order: each run of digits loses its leading zeros and gets
 * `0` and its length as prefix, and each other run ends with U+0000, which sorts first. No fact contains U+0000.
 */
const naturalKey = (text: string): string =>
  text.replace(runs, run => {
    if (run < '0' || run >= ':') return `${run}\0`
    const digits = run.replace(/^0+/, '')
    return `0${String.fromCharCode(digits.length)}${digits}`
  })

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Compares texts in natural order: `A2` before `A10`. The order is total and does not depend on the locale; texts with
 * equal numbers (`A1`, `A01`) are ordered by code units.
 */
export const naturalOrder = (a: string, b: string): number =>
  a === b ? 0 : compare(naturalKey(a), naturalKey(b)) || compare(a, b)

/**
 * Sorts values in `naturalOrder` by several texts each, the first text taking precedence. Each key is computed once.
 */
export const sortNaturally = <T>(values: readonly T[], textsOf: (value: T) => readonly string[]): T[] =>
  values
    .map(value => ({
      value,
      key: textsOf(value)
        .map(text => `${naturalKey(text)}\0${text}\0`)
        .join('')
    }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ value }) => value)
