type Line = Readonly<{ name: string; points: readonly (readonly [x: number, y: number])[] }>

/** A picture of its own height with one axis of values. `goal` is drawn as a dashed line. */
export type Panel = Readonly<{ title: string; lines: readonly Line[]; goal?: number }>

const colours = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#ff7f0e', '#17becf'] as const
const [width, height, left, right, top, bottom] = [760, 170, 64, 16, 28, 24]

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const shown = (value: number): string =>
  value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1).replace(/\.0$/, '')
      : String(Number(value.toFixed(2)))

/** The next number of 1, 2, 2.5, 5 times a power of ten that is no smaller. */
function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 2.5, 5, 10].find(step => step * power >= value) ?? 10) * power
}

function panel({ title, lines, goal }: Panel, at: number, [from, to]: readonly [number, number]): string {
  const most = roundUp(Math.max(goal ?? 0, ...lines.flatMap(({ points }) => points.map(([, y]) => y))))
  const x = (value: number): number => left + ((value - from) / (to - from || 1)) * (width - left - right)
  const y = (value: number): number => at + height - bottom - (value / most) * (height - top - bottom)
  const level = (value: number, style: string): string =>
    `<line x1="${left}" x2="${width - right}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" ${style}/>`
  const text = (value: string, place: string): string => `<text ${place}>${escaped(value)}</text>`
  return [
    text(title, `x="${left}" y="${at + 18}" font-weight="bold"`),
    ...[0, most / 2, most].flatMap(value => [
      level(value, 'stroke="#ddd"'),
      text(shown(value), `x="${left - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end"`)
    ]),
    ...[from, (from + to) / 2, to].map(value =>
      text(shown(value), `x="${x(value).toFixed(1)}" y="${at + height - 6}" text-anchor="middle"`)
    ),
    ...(goal === undefined ? [] : [level(goal, 'stroke="#888" stroke-dasharray="6 4"')]),
    ...lines.flatMap(({ name, points }, index) => [
      `<polyline fill="none" stroke="${colours[index % colours.length]}" stroke-width="1.5" points="${points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(' ')}"/>`,
      text(
        name,
        `x="${width - right - 130 * (lines.length - 1 - index)}" y="${at + 18}" text-anchor="end" fill="${colours[index % colours.length]}"`
      )
    ])
  ].join('\n')
}

/** Lines over one common axis, a panel below the other, as an SVG document. */
export function plot(title: string, panels: readonly Panel[]): string {
  const all = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([x]) => x)))
  const span = [Math.min(...all), Math.max(...all)] as const
  const whole = 34 + height * panels.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${whole}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${whole}" fill="#fff"/>
<text x="${left}" y="22" font-size="15" font-weight="bold">${escaped(title)}</text>
${panels.map((one, index) => panel(one, 34 + index * height, span)).join('\n')}
</svg>
`
}
