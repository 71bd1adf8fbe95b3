const round = (value: number): number => Math.round(value * 10) / 10

/** Returns a point at an angle in degrees, clockwise from the top. */
const at = (x: number, y: number, radius: number, degrees: number): string =>
  `${round(x + radius * Math.sin((degrees * Math.PI) / 180))} ${round(y - radius * Math.cos((degrees * Math.PI) / 180))}`

const around = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => (index * 360) / count)

/** Functions that return shapes around a point as the `d` of an SVG path (SVG 2 §9.3). */
export const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`
export const oval = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 1 ${2 * rx} 0a${rx} ${ry} 0 1 1 ${-2 * rx} 0Z`
export const box = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}Z`
export const rays = (x: number, y: number, count: number, inner: number, outer: number): string =>
  around(count)
    .map(angle => `M${at(x, y, inner, angle)}L${at(x, y, outer, angle)}`)
    .join('')

/** Returns a star with `points` points, rotated by `turn` degrees. */
export const star = (x: number, y: number, points: number, outer: number, inner: number, turn = 0): string =>
  `M${around(points * 2)
    .map((angle, index) => at(x, y, index % 2 === 0 ? outer : inner, angle + turn))
    .join('L')}Z`

/** Repeats a shape at equal angles around a point. */
export const ring = (
  count: number,
  x: number,
  y: number,
  rx: number,
  ry: number,
  shape: (x: number, y: number) => string
): string =>
  around(count)
    .map(angle =>
      shape(round(x + rx * Math.sin((angle * Math.PI) / 180)), round(y - ry * Math.cos((angle * Math.PI) / 180)))
    )
    .join('')

export const lemniscate = (x: number, y: number, size: number): string =>
  `M${x} ${y}C${x + size} ${y - size} ${x + 2 * size} ${y - size} ${x + 2 * size} ${y}S${x + size} ${y + size} ${x} ${y}S${x - 2 * size} ${y - size} ${x - 2 * size} ${y}S${x - size} ${y + size} ${x} ${y}Z`

/** Returns a crescent moon whose horns point to the right. */
export const crescent = (x: number, y: number, r: number): string =>
  `M${x} ${y - r}a${r} ${r} 0 1 0 0 ${2 * r}a${round(r * 1.25)} ${round(r * 1.25)} 0 0 1 0 ${-2 * r}Z`

export const wave = (x: number, y: number, width: number): string =>
  `M${x} ${y}${'q5 -6 10 0t10 0'.repeat(Math.round(width / 20))}`

/** Returns a sprig: pairs of leaves along an upright stem. */
export const sprig = (x: number, y: number, pairs: number): string =>
  Array.from(
    { length: pairs },
    (_, index) => `M${x} ${y - index * 11}q-11 -2 -12 -13q11 1 12 13q1 -12 12 -13q-1 11 -12 13Z`
  ).join('')
