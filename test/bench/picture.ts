import { isMet, median, type Figure } from './figures.ts'
import type { Recorded } from './record.ts'

const width = 800
const left = 285
const right = 85
const longestLabel = 40
const lineHeight = 26
const others: Readonly<Record<string, string>> = { node: 'bare node:http', fastify: 'Fastify doing the same work' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, found => `&#${found.charCodeAt(0)};`)
const number = (value: number): string => String(Math.round(value * 10) / 10)
/** Memory is compared with Fastify as well, and is no processor time. */
const shownFigures = ({ figures }: Recorded, of: string): readonly Figure[] =>
  figures.filter(({ unit, of: other, details }) => unit === 'times' && other === of && details !== undefined)

/** A logarithmic axis for all bars: twice as much is as long everywhere. */
function axisOf(figures: readonly Figure[]): Readonly<{ at: (value: number) => number; ticks: readonly number[] }> {
  const values = figures.flatMap(({ values, least = 1 }) => [...values, least])
  const [low, high] = [Math.min(...values, 0.5), Math.max(...values, 4)]
  const at = (value: number): number =>
    left + ((Math.log2(value) - Math.log2(low)) / (Math.log2(high) - Math.log2(low))) * (width - left - right)
  return { at, ticks: [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128].filter(tick => tick >= low && tick <= high) }
}

function bar(figure: Figure, y: number, at: (value: number) => number): string {
  const { about, values, least } = figure
  const found = median(values)
  const [from, to] = [Math.min(at(1), at(found)), Math.max(at(1), at(found))]
  const [low, high] = [at(Math.min(...values)), at(Math.max(...values))]
  const middle = y + lineHeight / 2
  const state = isMet(figure) === false ? 'missed' : 'reached'
  return [
    `<text class="label" x="${left - 12}" y="${middle + 4}" text-anchor="end">${escaped(about.length > longestLabel ? `${about.slice(0, longestLabel - 1)}…` : about)}</text>`,
    `<rect class="${state}" x="${number(from)}" y="${y + 5}" width="${number(Math.max(1, to - from))}" height="${lineHeight - 10}" rx="2"/>`,
    `<path class="range" d="M${number(low)} ${middle}H${number(high)}M${number(low)} ${middle - 4}v8M${number(high)} ${middle - 4}v8"/>`,
    ...(least === undefined ? [] : [`<path class="goal" d="M${number(at(least))} ${y + 2}v${lineHeight - 4}"/>`]),
    `<text class="value" x="${width - right + 14}" y="${middle + 4}">× ${found.toFixed(2)}</text>`
  ].join('\n')
}

const style = `
text { font: 13px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328 }
.head { font-size: 16px; font-weight: 600 } .part { font-weight: 600 } .value { font-weight: 600; font-variant-numeric: tabular-nums } .small { font-size: 11.5px; fill: #59636e }
.ground { fill: #ffffff } .tick { stroke: #d1d9e0 } .one { stroke: #59636e; stroke-width: 1.5 } .reached { fill: #2f81c7 } .missed { fill: #c2702a }
.range { stroke: #1f2328; fill: none } .goal { stroke: #1a7f37; stroke-width: 2.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .small { fill: #9198a1 } .ground { fill: #0d1117 } .tick { stroke: #30363d } .one { stroke: #9198a1 }
  .reached { fill: #4493e0 } .missed { fill: #d18646 } .range { stroke: #e6edf3 } .goal { stroke: #3fb950 }
}`

/** What a reader hears who does not see the picture. */
const description = (run: Recorded): string =>
  Object.entries(others)
    .flatMap(([of, name]) =>
      shownFigures(run, of).map(({ about, values }) => `${about}: ${median(values).toFixed(2)} of ${name}`)
    )
    .join('; ')

/** The comparisons of a run with bare Node and Fastify, as an SVG that is read in light and dark. */
export function picture(run: Recorded): string {
  const parts = Object.entries(others)
    .map(([of, name]) => ({ name, figures: shownFigures(run, of) }))
    .filter(({ figures }) => figures.length > 0)
  const { at, ticks } = axisOf(parts.flatMap(({ figures }) => figures))
  const drawn: string[] = []
  let y = 66
  for (const { name, figures } of parts) {
    drawn.push(`<text class="part" x="16" y="${y + 18}">Against ${name}</text>`)
    y += lineHeight + 2
    const bottom = y + figures.length * lineHeight
    drawn.push(
      ...ticks.map(
        tick =>
          `<path class="${tick === 1 ? 'one' : 'tick'}" d="M${number(at(tick))} ${y}V${bottom}"/><text class="small" x="${number(at(tick))}" y="${bottom + 14}" text-anchor="middle">${tick}</text>`
      )
    )
    for (const figure of figures) {
      drawn.push(bar(figure, y, at))
      y += lineHeight
    }
    y += 30
  }
  const height = y + 26
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">Requests that Pantry answers in the processor time that others need for one</title>
<desc id="desc">${escaped(description(run))}.</desc>
<style>${style}
</style>
<rect class="ground" width="${width}" height="${height}" rx="6"/>
<text class="head" x="16" y="30">Requests that Pantry answers in the processor time others need for one</text>
<text class="small" x="16" y="50">Right of 1 Pantry needs less than the other. Bar: median of ${run.rounds} rounds; thin line: all of them; green: goal; orange: goal missed.</text>
${drawn.join('\n')}
<text class="small" x="16" y="${height - 14}">npm run bench, ${run.date}, ${escaped(run.machine)}. Server on one core, requests from another.</text>
</svg>
`
}
