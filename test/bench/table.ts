import { isMet, median, type Figure, type Unit } from './figures.ts'

const digits: Readonly<Record<Unit, number>> = { times: 2, us: 0, 'x node -e 0': 1, MB: 0 }

/** `1.23 [1.10..1.40]`: the median, and in brackets the smallest and the largest round. */
export const spread = ({ values, unit }: Pick<Figure, 'values' | 'unit'>): string =>
  `${median(values).toFixed(digits[unit])} [${Math.min(...values).toFixed(digits[unit])}..${Math.max(...values).toFixed(digits[unit])}]`

export const goalText = ({ least, most, unit }: Pick<Figure, 'least' | 'most' | 'unit'>): string =>
  least !== undefined
    ? `>= ${least.toFixed(digits[unit])}`
    : most !== undefined
      ? `<= ${most.toFixed(digits[unit])}`
      : '-'

const metWords = new Map([
  [true, 'yes'],
  [false, 'NO']
])

function detailsText({ values, details }: Figure): string {
  if (details === undefined) return ''
  const { pantry, other, database, utilisation, dirty, repeated, wrong } = details
  return [
    `${pantry.toFixed(1)}${other === undefined ? '' : ` / ${other.toFixed(1)}`} us`,
    `database ${database.toFixed(0)} us`,
    `server ${(utilisation * 100).toFixed(0)} %`,
    ...(dirty > 0 ? [`${dirty} of ${values.length} dirty`] : []),
    ...(repeated > 0 ? [`${repeated} repeated`] : []),
    ...(wrong > 0 ? [`${wrong} WRONG ANSWERS`] : [])
  ].join(', ')
}

/** One line for each figure. Columns are separated by at least two spaces, and no cell holds two of them. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(figure => [
    figure.scenario,
    figure.unit === 'times' ? `x ${figure.of}` : `${figure.of}, ${figure.unit}`,
    goalText(figure),
    spread(figure),
    metWords.get(isMet(figure) ?? ('' as never)) ?? '-',
    detailsText(figure)
  ])
  const all = [
    ['scenario', 'figure', 'goal', 'median [min..max]', 'met', 'pantry / other, database, utilisation'],
    ...rows
  ]
  const widths = all[0]?.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0))) ?? []
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}
