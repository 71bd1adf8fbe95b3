/** Ratios of whole numbers, and the natural order of texts that contain numbers. */
import { Type, closed } from 'pantry/data'

/** A fraction of two integers without a common divisor. */
export const Ratio = closed({ numerator: Type.Integer({ minimum: 0 }), denominator: Type.Integer({ minimum: 1 }) })

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** Numbers are rounded to this many decimal places. */
const places = 9

/** Returns the ratio of two numbers in lowest terms. Throws a RangeError when it is undefined, such as 0 of 0. */
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
