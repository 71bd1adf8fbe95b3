import { scaleBand, scaleLinear } from 'd3-scale'
import type { DataOf } from 'pantry/data'
import { Table, type Column, type ComponentChildren, type VNode } from 'pantry/page'
import { formatCount, wrap } from '../common/words.ts'
import type { Completenesses, ShownSet } from './schemas.ts'

const width = 640

/** A chart and its data as a table, so that the picture is never the only source. Without a picture only the table. */
const plot = <Row,>(
  caption: string,
  height: number,
  picture: ComponentChildren,
  rows: readonly Row[],
  columns: readonly Column<Row>[]
): VNode => (
  <figure class="plot">
    {picture !== null && (
      <div class="scroll" tabIndex={0} role="region" aria-label={`Plot: ${caption}`}>
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${caption}. The table has the same numbers.`}>
          {picture}
        </svg>
      </div>
    )}
    <details>
      <summary>The same as a table</summary>
      <Table caption={caption} rows={rows} columns={columns} />
    </details>
  </figure>
)

type Bar = Readonly<{ label: string; value: number; href?: string }>
type BarsProps = Readonly<{ caption: string; of: string; unit: string; bars: readonly Bar[] }>

const row = 24

/** A horizontal bar chart. Labels that are too long for it are whole in the table. */
export function Bars({ caption, of, unit, bars }: BarsProps): VNode {
  const left = 210
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const scale = scaleLinear([0, most], [left, width - 70]).nice()
  const height = bars.length * row + 26
  const picture =
    bars.length === 0 ? null : (
      <>
        {scale.ticks(5).map(tick => (
          <>
            <line class="tick" x1={scale(tick)} x2={scale(tick)} y1="0" y2={height - 20} />
            <text class="axis" x={scale(tick)} y={height - 6}>
              {formatCount(tick)}
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
              {formatCount(value)}
            </text>
          </>
        ))}
      </>
    )
  return plot(caption, height, picture, bars, [
    { head: of, cell: ({ label, href }) => (href === undefined ? label : <a href={href}>{label}</a>) },
    { head: unit, cell: ({ value }) => formatCount(value), isNumber: true }
  ])
}

type Sets = DataOf<typeof Completenesses>['sets']
type Completeness = Sets[number]['completeness']
type Guide = Readonly<{ sets: readonly Readonly<{ code: string; printed_code: string; name: string | null }>[] }>

/** Maps set codes to the completeness of the sets. */
export const completenessOf = (sets: Sets): ReadonlyMap<string, Completeness> =>
  new Map(sets.map(({ set_code: code, completeness }) => [code, completeness]))

export function shareText(of: Completeness | undefined): string {
  if (of?.declared_total == null) return 'not declared'
  const [held, total] = [formatCount(of.held_numbers), formatCount(of.declared_total)]
  return of.total_counts === 'numbers' ? `${held} of ${total}` : `${held}; the ${total} declared may not be numbers`
}

/** Says which total sources declare for a set, and what it may count. */
export function declaredText(of: DataOf<typeof ShownSet>['completeness'] | undefined): string {
  if (of?.declared_total == null) return `none: ${of?.basis ?? 'not known now'}`
  const total = formatCount(of.declared_total)
  return of.total_counts === 'numbers' ? total : `${total}. ${of.basis}`
}

/** Returns bars for the sets whose declared total counts numbers: the held share in whole percent. */
export const shareBars = (
  { sets }: Guide,
  known: ReadonlyMap<string, Completeness>,
  hrefOf: (code: string) => string
): Bar[] =>
  sets.flatMap(({ code, name, printed_code: printed }) => {
    const { held_numbers: held = 0, declared_total: total = null, total_counts: of = null } = known.get(code) ?? {}
    return total === null || of !== 'numbers'
      ? []
      : [{ label: name ?? printed, href: hrefOf(code), value: Math.floor((100 * held) / total) }]
  })

type Day = Readonly<{ date: string; value: number; isPartial: boolean }>

/** A chart with one column per day. The current day is drawn lighter. */
export function Days({
  caption,
  unit,
  days
}: Readonly<{ caption: string; unit: string; days: readonly Day[] }>): VNode {
  const [left, height, bottom] = [60, 220, 190]
  const most = Math.max(1, ...days.map(({ value }) => value))
  const across = scaleBand(
    days.map(({ date }) => date),
    [left, width]
  ).padding(0.15)
  const up = scaleLinear([0, most], [bottom, 10]).nice()
  const named = days.filter((_, at) => at % Math.max(1, Math.ceil(days.length / 8)) === 0)
  const picture = (
    <>
      {up.ticks(4).map(tick => (
        <>
          <line class="tick" x1={left} x2={width} y1={up(tick)} y2={up(tick)} />
          <text class="axis end" x={left - 6} y={up(tick) + 4}>
            {formatCount(tick)}
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
            height={bottom - up(value)}
          />
        ))}
      {named.map(({ date }) => (
        <text class="axis" x={(across(date) ?? 0) + across.bandwidth() / 2} y={height - 10}>
          {date.slice(5)}
        </text>
      ))}
    </>
  )
  return plot(caption, height, picture, days, [
    { head: 'Day (UTC)', cell: ({ date, isPartial }) => (isPartial ? `${date}, not over yet` : date) },
    { head: unit, cell: ({ value }) => formatCount(value), isNumber: true }
  ])
}
