/** Line work like that of banknotes: waves around a circle, each drawn again and again, a little further round. */
import type { Dice } from './dice.ts'

type Point = readonly [x: number, y: number]

/** Writes a number for SVG, with at most one digit after the point. */
export const decimal = (value: number): string => String(Math.round(value * 10) / 10)

const angleText = (degrees: number): string => String(Math.round(degrees * 100) / 100)

const point = ([x, y]: Point): string => `${decimal(x)} ${decimal(y)}`

/** Returns the point at a radius and an angle in radians, clockwise from the top. */
export const polar = (radius: number, angle: number): Point => [radius * Math.sin(angle), -radius * Math.cos(angle)]

type Ring = Readonly<{
  radius: number
  swing: number
  /** The fewest and the most waves around the circle. */
  petals: readonly [number, number]
  /** How often the waves are drawn. */
  turns: number
  colour: string
  width: number
  /** Curves of one wave; 10 by default. */
  steps?: number
}>

/** Returns one wave of a ring as a Catmull–Rom spline in cubic Béziers; rotated copies of it close the circle. */
function wavePath(radiusAt: (angle: number) => number, petals: number, steps: number): string {
  const at = (step: number): Point => {
    const angle = (step / steps / petals) * 2 * Math.PI
    return polar(radiusAt(angle), angle)
  }
  const curves = Array.from({ length: steps }, (_, step) => {
    const [before, from, to, after] = [at(step - 1), at(step), at(step + 1), at(step + 2)]
    const leave: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
    const arrive: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
    return `C${point(leave)} ${point(arrive)} ${point(to)}`
  })
  return `M${point(at(0))}${curves.join('')}`
}

const rotated = (id: string, step: number, count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `<use href="#${id}" transform="rotate(${angleText(step * (index + 1))})"/>`
  ).join('')

/**
 * Draws waves around the origin several times, each time rotated by a fraction of a wave. Each wave is bent by a second
 * one of twice the frequency. `dice` choose how many waves there are, and how high and how bent they are.
 */
export function lace(
  dice: Dice,
  id: string,
  { radius, swing, petals: [fewest, most], turns, colour, width, steps = 10 }: Ring
): string {
  const petals = dice.whole(fewest, most)
  const height = swing * dice.between(0.72, 1)
  const bend = swing * dice.between(0.05, 0.34)
  const phase = dice.between(0, 2 * Math.PI)
  const path = wavePath(
    angle => radius + height * Math.cos(petals * angle) + bend * Math.cos(2 * petals * angle + phase),
    petals,
    steps
  )
  const step = 360 / petals
  return (
    `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">` +
    `<g id="${id}"><path id="${id}w" d="${path}"/>${rotated(`${id}w`, step, petals - 1)}</g>` +
    `${rotated(id, step / turns, turns - 1)}</g>`
  )
}

/** Draws each digit of a hash as a ray, clockwise from the top; higher digits have longer rays, by `unit` each. */
export const rays = (hash: string, radius: number, unit = 1): string =>
  Array.from(hash, (digit, index) => {
    const angle = ((index + 0.5) / hash.length) * 2 * Math.PI
    return `M${point(polar(radius, angle))}L${point(polar(radius + unit * (1.5 + Number.parseInt(digit, 16)), angle))}`
  }).join('')
