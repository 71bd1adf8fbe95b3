import { scaleLinear } from 'd3-scale'
import { Table, type VNode } from 'pantry/page'
import { counted, wrap } from './words.ts'

export type Bar = Readonly<{ label: string; value: number; href?: string }>

type BarsProps = Readonly<{ caption: string; of: string; unit: string; bars: readonly Bar[] }>

const row = 24
const [left, right, width] = [210, 70, 640]

/**
 * A horizontal bar chart, and the same data as a table, so that the picture is never the only source. The table has the
 * full text of labels that are too long for the chart.
 */
export function Bars({ caption, of, unit, bars }: BarsProps): VNode {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const scale = scaleLinear([0, most], [left, width - right]).nice()
  const height = bars.length * row + 26
  return (
    <figure class="plot">
      {bars.length === 0 ? null : (
        <div class="scroll" tabIndex={0} role="region" aria-label={`Plot: ${caption}`}>
          <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${caption}. The table has the same numbers.`}>
            {scale.ticks(5).map(tick => (
              <>
                <line class="tick" x1={scale(tick)} x2={scale(tick)} y1="0" y2={height - 20} />
                <text class="axis" x={scale(tick)} y={height - 6}>
                  {counted(tick)}
                </text>
              </>
            ))}
            {bars.map(({ label, value }, at) => (
              <>
                <text class="label" x={left - 8} y={at * row + 16}>
                  {wrap(label, 26, 1)[0]}
                </text>
                <rect
                  class="value"
                  x={left}
                  y={at * row + 4}
                  width={Math.max(1, scale(value) - left)}
                  height={row - 8}
                  rx="2"
                />
                <text class="axis start" x={scale(value) + 6} y={at * row + 16}>
                  {counted(value)}
                </text>
              </>
            ))}
          </svg>
        </div>
      )}
      <details>
        <summary>The same as a table</summary>
        <Table
          caption={caption}
          rows={bars}
          columns={[
            { head: of, cell: ({ label, href }) => (href === undefined ? label : <a href={href}>{label}</a>) },
            { head: unit, cell: ({ value }) => counted(value), isNumber: true }
          ]}
        />
      </details>
    </figure>
  )
}
