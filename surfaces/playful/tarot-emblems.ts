const round = (value: number): number => Math.round(value * 10) / 10

/** Returns a point of an ellipse. The angle is in degrees, clockwise from the top. */
const onEllipse = (x: number, y: number, rx: number, ry: number, degrees: number): readonly [number, number] => {
  const angle = (degrees * Math.PI) / 180
  return [round(x + rx * Math.sin(angle)), round(y - ry * Math.cos(angle))]
}
const at = (x: number, y: number, radius: number, degrees: number): string =>
  onEllipse(x, y, radius, radius, degrees).join(' ')

const around = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => (index * 360) / count)

/** Shapes as the `d` of an SVG path (SVG 2 §9.3): `box` from its top left corner, the others around a point. */
const oval = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 1 ${2 * rx} 0a${rx} ${ry} 0 1 1 ${-2 * rx} 0Z`
const circle = (x: number, y: number, r: number): string => oval(x, y, r, r)
const box = (x: number, y: number, width: number, height: number): string => `M${x} ${y}h${width}v${height}h${-width}Z`
const rays = (x: number, y: number, count: number, inner: number, outer: number): string =>
  around(count)
    .map(angle => `M${at(x, y, inner, angle)}L${at(x, y, outer, angle)}`)
    .join('')

/** A star around a point; `turn` is in degrees. */
const star = (x: number, y: number, points: number, outer: number, inner: number, turn = 0): string =>
  `M${around(points * 2)
    .map((angle, index) => at(x, y, index % 2 === 0 ? outer : inner, angle + turn))
    .join('L')}Z`

type Shape = (x: number, y: number) => string
const ring = (count: number, x: number, y: number, rx: number, ry: number, shape: Shape): string =>
  around(count)
    .map(angle => shape(...onEllipse(x, y, rx, ry, angle)))
    .join('')

const lemniscate = (x: number, y: number, size: number): string =>
  `M${x} ${y}C${x + size} ${y - size} ${x + 2 * size} ${y - size} ${x + 2 * size} ${y}S${x + size} ${y + size} ${x} ${y}S${x - 2 * size} ${y - size} ${x - 2 * size} ${y}S${x - size} ${y + size} ${x} ${y}Z`

/** A crescent whose horns point to the right. */
const crescent = (x: number, y: number, r: number): string =>
  `M${x} ${y - r}a${r} ${r} 0 1 0 0 ${2 * r}a${round(r * 1.25)} ${round(r * 1.25)} 0 0 1 0 ${-2 * r}Z`

const wave = (x: number, y: number, width: number): string =>
  `M${x} ${y}${'q5 -6 10 0t10 0'.repeat(Math.round(width / 20))}`

/** Pairs of leaves along an upright stem. */
const sprig = (x: number, y: number, pairs: number): string =>
  Array.from(
    { length: pairs },
    (_, index) => `M${x} ${y - index * 11}q-11 -2 -12 -13q11 1 12 13q1 -12 12 -13q-1 11 -12 13Z`
  ).join('')

/**
 * The layers of a drawing, each the `d` of an SVG path: soft areas, lines, and golden parts, in 120 × 180 units around
 * the origin.
 */
type Emblem = Readonly<{ soft?: string; line?: string; gold?: string }>

/** By slug of the trump: the symbols that tarot packs have shared since the fifteenth century, drawn by ourselves. */
export const emblems: Readonly<Record<string, Emblem>> = {
  'the-fool': {
    soft: 'M-60 90V30L-6 22L6 44L-4 90Z',
    line: 'M-60 30L-6 22L6 44L-4 66L2 90M-30 26V-8M-30 -8L-42 12M-30 -8L-16 8M-44 -2L8 -46' + circle(-30, -18, 9),
    gold: circle(36, -62, 14) + 'M8 -46q14 -6 16 8q-12 10 -18 2Z' + star(24, 66, 4, 7, 2) + star(44, 40, 4, 5, 1.5)
  },
  'the-magician': {
    soft: box(-54, 20, 108, 10),
    line:
      lemniscate(0, -66, 16) +
      'M-46 30V84M46 30V84M-54 20H54M-40 18V-26M-46 -20H-34M-12 18L-2 -34M12 18h16M20 18V8M10 -14q0 22 10 22t10 -22Z',
    gold: circle(44, 10, 8) + star(0, -66, 4, 6, 2)
  },
  'the-high-priestess': {
    soft: box(-54, -70, 18, 154) + box(36, -70, 18, 154),
    line:
      'M-58 -70H-32M32 -70H58M-58 84H-32M32 84H58M-36 -58Q0 -30 36 -58M-36 -40Q0 -12 36 -40' +
      ring(5, 0, 22, 18, 26, (x, y) => circle(x, y, 4)),
    gold: crescent(4, 60, 16) + circle(0, -70, 9)
  },
  'the-empress': {
    line: 'M0 84V4M-26 84Q-24 50 -22 26M26 84Q24 50 22 26' + sprig(0, 34, 4) + sprig(-24, 44, 2) + sprig(24, 44, 2),
    gold: ring(12, 0, -44, 44, 30, (x, y) => star(x, y, 5, 5, 2)),
    soft: oval(0, -44, 22, 16)
  },
  'the-emperor': {
    soft: 'M-40 84V-10H40V84Z',
    line: 'M-40 84V-10H40V84M-52 84H52M-40 30H-52V84M40 30H52V84M-18 84V44H18V84M-40 -10q-20 0 -18 -20q14 -2 12 12M40 -10q20 0 18 -20q-14 -2 -12 12',
    gold: 'M-26 -22L-30 -62L-14 -44L0 -70L14 -44L30 -62L26 -22Z'
  },
  'the-hierophant': {
    line: 'M0 -84V84M-14 -66H14M-24 -48H24M-34 -30H34M-44 84L26 8M44 84L-26 8' + circle(-32, 2, 11) + circle(32, 2, 11),
    gold: circle(0, -84, 6) + 'M-44 84l-4 -14l10 2ZM44 84l4 -14l-10 2Z',
    soft: oval(0, 62, 50, 14)
  },
  'the-lovers': {
    soft: circle(-20, 28, 36) + circle(20, 28, 36),
    line: circle(-20, 28, 36) + circle(20, 28, 36),
    gold: star(0, -56, 8, 26, 9) + 'M0 16q-7 -10 -12 -2q-2 8 12 20q14 -12 12 -20q-5 -8 -12 2Z'
  },
  'the-chariot': {
    soft: 'M-50 -30Q0 -80 50 -30Z',
    line:
      'M-50 -30Q0 -80 50 -30ZM-44 -30V20M44 -30V20M-50 20H50V46H-50Z' +
      circle(-32, 62, 22) +
      circle(32, 62, 22) +
      rays(-32, 62, 8, 4, 22) +
      rays(32, 62, 8, 4, 22),
    gold: star(0, -10, 6, 20, 9) + circle(-32, 62, 4) + circle(32, 62, 4)
  },
  strength: {
    soft: circle(0, 26, 34),
    line:
      lemniscate(0, -62, 15) +
      rays(0, 26, 24, 36, 56) +
      circle(0, 26, 34) +
      'M-14 18q4 -6 10 0M4 18q6 -6 10 0M0 26l-5 8h10ZM0 34v6M-12 42q6 8 12 -2q6 10 12 2',
    gold: star(0, -62, 4, 6, 2)
  },
  'the-hermit': {
    soft: 'M-8 -40H36L40 6H-12Z',
    line: 'M14 -70a8 8 0 1 1 0.1 0M14 -54V-40M-8 -40H36L40 6H-12ZM-12 6H40L32 16H-4ZM-40 -84V90M-40 -70Q-14 -84 14 -70',
    gold: star(14, -17, 6, 18, 7) + star(-10, 58, 4, 5, 1.5) + star(34, 44, 4, 6, 2) + star(20, 74, 4, 4, 1.5)
  },
  'wheel-of-fortune': {
    soft: circle(0, 0, 58),
    line: circle(0, 0, 58) + circle(0, 0, 40) + circle(0, 0, 12) + rays(0, 0, 8, 12, 58),
    gold:
      ring(8, 0, 0, 49, 49, (x, y) => circle(x, y, 3)) +
      star(0, 0, 8, 10, 4) +
      star(0, -76, 4, 7, 2) +
      star(0, 76, 4, 7, 2)
  },
  justice: {
    soft: 'M-56 14a20 20 0 0 0 40 0ZM16 14a20 20 0 0 0 40 0Z',
    line: 'M-36 -40L-56 14H-16ZM36 -40L16 14H56ZM-36 -40H36M-56 14a20 20 0 0 0 40 0M16 14a20 20 0 0 0 40 0M0 -76V64M-14 60H14M-6 64L0 88L6 64',
    gold: circle(0, -76, 7) + circle(0, -40, 5)
  },
  'the-hanged-one': {
    line:
      'M-54 -80H54M-44 -80V88M44 -80V88M0 -80V-20M0 -20V24M0 -20L-20 0L0 10M-16 34L16 34M-16 34L0 8L16 34' +
      circle(0, 52, 11),
    gold: ring(12, 0, 52, 21, 21, (x, y) => circle(x, y, 2)) + star(-44, -80, 4, 6, 2) + star(44, -80, 4, 6, 2),
    soft: box(-54, -86, 108, 8)
  },
  death: {
    soft: 'M-60 50Q0 20 60 50V90H-60Z',
    line: 'M-36 88L26 -70M26 -70Q-30 -84 -54 -34Q-22 -62 22 -58M-10 20L6 26M-60 50Q0 20 60 50',
    gold: ring(5, 30, 20, 9, 9, (x, y) => circle(x, y, 7)) + circle(30, 20, 5) + 'M30 34q-6 14 2 26q8 -12 -2 -26Z'
  },
  temperance: {
    soft: 'M-50 -50L-18 -62L-18 -34Q-28 -18 -44 -28Z',
    line: 'M-54 -48L-14 -64M-50 -50Q-50 -26 -36 -24T-18 -62M14 28H54M18 28Q18 56 34 56T50 28M34 56V76M20 76H48M-40 -26L-52 -8',
    gold:
      'M-16 -50Q30 -40 32 26Q22 30 22 26Q22 -24 -18 -42Z' +
      circle(0, -78, 7) +
      ring(8, 0, -78, 14, 14, (x, y) => circle(x, y, 1.5))
  },
  'the-devil': {
    soft: circle(0, -14, 50),
    line:
      circle(0, -14, 50) +
      star(0, -14, 5, 50, 19, 180) +
      oval(-26, 60, 9, 13) +
      oval(-14, 66, 9, 6) +
      oval(0, 60, 9, 13) +
      oval(14, 66, 9, 6) +
      oval(26, 60, 9, 13),
    gold: 'M-8 -18q8 -10 16 0q-2 14 -8 18q-6 -4 -8 -18Z'
  },
  'the-tower': {
    soft: 'M-28 88L-22 -30H22L28 88Z',
    line: 'M-28 88L-22 -30H22L28 88M-60 88H60M-30 -30H30V-46H18V-38H6V-46H-6V-38H-18V-46H-30ZM-6 0h12v16h-12ZM-6 40h12v16h-12Z',
    gold:
      'M44 -88L12 -56L26 -54L-6 -22L6 -22L-16 6L42 -36L28 -38L56 -68L42 -66Z' +
      ring(3, -44, -6, 10, 22, (x, y) => circle(x, y, 3))
  },
  'the-star': {
    soft: 'M-60 56H60V90H-60Z',
    line: wave(-60, 56, 120) + wave(-60, 70, 120) + wave(-60, 84, 120),
    gold: star(0, -20, 8, 44, 13) + ring(7, 0, -20, 54, 62, (x, y) => star(x, y, 6, 6, 2.5))
  },
  'the-moon': {
    soft: 'M-60 90Q-10 60 0 30Q10 60 60 90Z',
    line: box(-56, -4, 18, 60) + box(38, -4, 18, 60) + 'M-60 -4H-34M34 -4H60M0 30Q-14 60 -22 90M0 30Q14 60 22 90',
    gold: crescent(8, -44, 34) + [-40, -20, 0, 20, 40].map(x => `M${x} -2q-4 8 0 10q4 -2 0 -10Z`).join('')
  },
  'the-sun': {
    soft: circle(0, -18, 56),
    line:
      rays(0, -18, 16, 36, 56) +
      'M-48 88Q-40 60 -30 88M-8 88Q0 56 8 88M30 88Q40 60 48 88' +
      circle(-11, -24, 2.5) +
      circle(11, -24, 2.5) +
      'M-10 -8q10 9 20 0',
    gold:
      star(0, -18, 16, 40, 30).replace('Z', `Z${circle(0, -18, 24)}`) +
      circle(-39, 66, 6) +
      circle(0, 62, 6) +
      circle(39, 66, 6)
  },
  judgement: {
    soft: box(-50, -2, 36, 44),
    line: 'M-50 -40L34 -74M-44 -32L44 -54M34 -74Q52 -76 44 -54M-50 -40q-8 2 -4 10q4 4 10 -2M-50 -2H-14V42H-50ZM-32 -2V42M-50 20H-14M-32 -36V-2M-56 88V70H-24V88M-16 88V66H16V88M24 88V70H56V88',
    gold: [0, 1, 2, 3].map(index => star(22 + index * 9, -12 + index * 14, 4, 8 - index, 2)).join('')
  },
  'the-world': {
    soft: oval(0, 0, 40, 62),
    line: oval(0, 0, 40, 62) + ring(20, 0, 0, 48, 70, (x, y) => oval(x, y, 5, 3)),
    gold:
      star(0, 0, 4, 30, 9) +
      circle(-52, -80, 7) +
      star(52, -80, 5, 9, 4) +
      box(-59, 73, 14, 14) +
      star(52, 80, 3, 10, 5)
  }
}
