import { scaleBand, scaleLinear } from 'd3-scale'
import { Table, type VNode } from 'pantry/page'
import { counted } from './words.ts'

type DaysProps = Readonly<{
  caption: string
  unit: string
  days: readonly Readonly<{ date: string; value: number; isPartial: boolean }>[]
}>

const plot = { width: 640, height: 220, left: 60, bottom: 30 }

/** A chart with one column per day, and the same data as a table. The current day is drawn lighter. */
export function Days({ caption, unit, days }: DaysProps): VNode {
  const { width, height, left, bottom } = plot
  const most = Math.max(1, ...days.map(({ value }) => value))
  const across = scaleBand(
    days.map(({ date }) => date),
    [left, width]
  ).padding(0.15)
  const up = scaleLinear([0, most], [height - bottom, 10]).nice()
  const named = days.filter((_, at) => at % Math.max(1, Math.ceil(days.length / 8)) === 0)
  return (
    <figure class="plot">
      <div class="scroll" tabIndex={0} role="region" aria-label={`Plot: ${caption}`}>
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${caption}. The table has the same numbers.`}>
          {up.ticks(4).map(tick => (
            <>
              <line class="tick" x1={left} x2={width} y1={up(tick)} y2={up(tick)} />
              <text class="axis end" x={left - 6} y={up(tick) + 4}>
                {counted(tick)}
              </text>
            </>
          ))}
          {days
            .filter(({ value }) => value > 0)
            .map(({ date, value, isPartial }) => (
              <rect
                class={isPartial ? 'value partial' : 'value'}
                x={across(date)}
                y={up(value)}
                width={across.bandwidth()}
                height={height - bottom - up(value)}
              />
            ))}
          {named.map(({ date }) => (
            <text class="axis" x={(across(date) ?? 0) + across.bandwidth() / 2} y={height - 10}>
              {date.slice(5)}
            </text>
          ))}
        </svg>
      </div>
      <details>
        <summary>The same as a table</summary>
        <Table
          caption={caption}
          rows={days}
          columns={[
            { head: 'Day (UTC)', cell: ({ date, isPartial }) => (isPartial ? `${date}, not over yet` : date) },
            { head: unit, cell: ({ value }) => counted(value), isNumber: true }
          ]}
        />
      </details>
    </figure>
  )
}
