/** Emblems for what has no glyph of its own, and symbols of sets: geometry that follows from a text. */
import { Dice } from '../common/dice.ts'
import { decimal, polar } from '../common/guilloche.ts'

/** The middle of the square of 24 units in which glyphs are drawn. */
const middle = 12

type Polar = readonly [radius: number, angle: number]

const pointText = ([radius, angle]: Polar): string => {
  const [x, y] = polar(radius, angle)
  return `${decimal(middle + x)} ${decimal(middle + y)}`
}

const polygon = (points: readonly Polar[]): string => `M${points.map(pointText).join('L')}Z`

/** Returns points around the middle: one at each of `radii` in every fold. */
const around = (fold: number, radii: readonly number[], turn = 0): Polar[] =>
  Array.from({ length: fold * radii.length }, (_, index) => [
    radii[index % radii.length] ?? 0,
    ((index + turn) / fold / radii.length) * 2 * Math.PI
  ])

const disc = (radius: number): string => {
  const [left, right] = [decimal(middle - radius), decimal(middle + radius)]
  return `M${left} 12A${radius} ${radius} 0 0 1 ${right} 12A${radius} ${radius} 0 0 1 ${left} 12Z`
}

const petals = (fold: number, radius: number, inner: number): string =>
  Array.from({ length: fold }, (_, index) => {
    const angle = (index / fold) * 2 * Math.PI
    const [wide, root] = [1.7 / fold, pointText([inner, angle])]
    const side = (sign: number): string => pointText([radius * 0.86, angle + sign * wide])
    return `M${root}Q${side(-1)} ${pointText([radius, angle])}Q${side(1)} ${root}Z`
  }).join('')

/** Draws a figure of the given radius with the same look in each of three to eight directions. */
function figure(dice: Dice, radius: number): string {
  const [kind, fold] = [dice.whole(0, 4), dice.whole(3, 8)]
  const depth = radius * dice.between(0.42, 0.68)
  const hole = Math.round(radius * dice.between(1.6, 2.6)) / 10
  switch (kind) {
    case 0:
      return polygon(around(fold, [radius, depth])) + disc(hole)
    case 1:
      return petals(Math.max(4, fold), radius, radius * 0.16)
    case 2:
      return polygon(around(fold, [radius, radius, depth, depth], -0.5)) + disc(hole)
    case 3:
      return polygon(around(fold, [radius])) + polygon(around(fold, [depth], 0.5)) + disc(Math.max(1, hole - 0.6))
    default:
      return petals(Math.max(5, fold), radius, depth * 0.9) + disc(Math.round(depth * 6) / 10)
  }
}

/** Returns the path of an emblem in a square of 24 units, to be filled by the rule `evenodd`. */
export const emblemPath = (seed: string): string => figure(new Dice(`emblem ${seed}`), 11)

const frames: readonly (() => string)[] = [
  () => disc(11.5),
  () => 'M1 1H23V23H1Z',
  () => polygon(around(6, [11.8])),
  () => polygon(around(4, [12])),
  () => polygon(around(8, [11.8], 0.5)),
  () => 'M1.5 1H22.5V13C22.5 19 17 22 12 23.5C7 22 1.5 19 1.5 13Z',
  () => polygon(around(12, [11.8, 9.6])),
  () => 'M12 0.5L23.5 9.5L19 23H5L0.5 9.5Z'
]

/** Returns the path of the symbol of a set, of the same form: an emblem that is cut out of a badge. */
export function symbolPath(game: string, code: string): string {
  const dice = new Dice(`set ${game} ${code.toLowerCase()}`)
  return (frames[dice.whole(0, frames.length - 1)]?.() ?? '') + figure(dice, 7.2)
}
