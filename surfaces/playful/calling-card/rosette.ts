import type { Dice } from '../dice.ts'

type Point = readonly [x: number, y: number]

export const number = (value: number): string => String(Math.round(value * 10) / 10)

const point = ([x, y]: Point): string => `${number(x)} ${number(y)}`

const polar = (radius: number, angle: number): Point => [radius * Math.sin(angle), -radius * Math.cos(angle)]

/** Returns a smooth closed path through points: a Catmull–Rom spline as cubic Béziers. */
function closedPath(points: readonly Point[]): string {
  const at = (index: number): Point => points[(index + points.length) % points.length] ?? [0, 0]
  const curves = points.map((from, index) => {
    const [before, to, after] = [at(index - 1), at(index + 1), at(index + 2)]
    const leave: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
    const arrive: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
    return `C${point(leave)} ${point(arrive)} ${point(to)}`
  })
  return `M${point(at(0))}${curves.join('')}Z`
}

/** Returns a path that winds around a circle with `petals` waves, each bent by a second wave of twice the frequency. */
function wave(radius: number, swing: number, petals: number, bend: number, phase: number): string {
  const steps = petals * 10
  return closedPath(
    Array.from({ length: steps }, (_, step) => {
      const angle = (step / steps) * 2 * Math.PI
      return polar(radius + swing * Math.cos(petals * angle) + bend * Math.cos(2 * petals * angle + phase), angle)
    })
  )
}

type Ring = Readonly<{
  radius: number
  swing: number
  petals: readonly [number, number]
  turns: number
  colour: string
  width: number
}>

/** Draws one curve several times, each rotated by a fraction of a petal, like the pattern on a banknote. */
export function lace(
  dice: Dice,
  id: string,
  { radius, swing, petals: [fewest, most], turns, colour, width }: Ring
): string {
  const petals = dice.whole(fewest, most)
  const path = wave(
    radius,
    swing * dice.between(0.72, 1),
    petals,
    swing * dice.between(0.05, 0.34),
    dice.between(0, 2 * Math.PI)
  )
  const step = 360 / petals / turns
  const copies = Array.from(
    { length: turns - 1 },
    (_, index) => `<use href="#${id}" transform="rotate(${number(step * (index + 1))})"/>`
  )
  return `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round"><path id="${id}" d="${path}"/>${copies.join('')}</g>`
}

/** Draws each digit of a hash as a ray around the rosette, clockwise from the top; higher digits have longer rays. */
export const rays = (hash: string, radius: number): string =>
  Array.from(hash, (digit, index) => {
    const angle = ((index + 0.5) / hash.length) * 2 * Math.PI
    return `M${point(polar(radius, angle))}L${point(polar(radius + 1.5 + Number.parseInt(digit, 16), angle))}`
  }).join('')
