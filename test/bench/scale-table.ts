import type { ScaleMeasure, ScaleResults } from './scale.ts'
import { topics } from './scale-questions.ts'

const at = (numbers: readonly number[], part: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * part)] ?? Number.NaN
const quartiles = (numbers: readonly number[], digits: number): string =>
  `${at(numbers, 0.5).toFixed(digits)} [${at(numbers, 0.25).toFixed(digits)}..${at(numbers, 0.75).toFixed(digits)}]`
const medianOf = (rounds: readonly ScaleMeasure[], field: keyof ScaleMeasure): string =>
  at(
    rounds.map(round => round[field]),
    0.5
  ).toFixed(0)

/**
 * Requests a second of each size; the time of a request of 1M to that of 12k, within each round; processor time of
 * server and database.
 */
export function scaleTable(results: ScaleResults): string {
  const head = [
    'topic'.padEnd(15),
    '12k/s'.padEnd(22),
    '72k/s'.padEnd(22),
    '1M/s'.padEnd(22),
    '1M : 12k'.padEnd(19),
    'goal'.padEnd(5),
    'met'.padEnd(4),
    'us 12k'.padEnd(11),
    'us 1M'.padEnd(11),
    'us 1M : 12k'
  ].join(' ')
  const lines = topics.map(({ name, goal, most = Infinity }) => {
    const rounds = results[name]
    if (rounds === undefined) return name
    const rate = (size: keyof typeof rounds): string =>
      quartiles(
        rounds[size].map(({ perSecond }) => perSecond),
        0
      ).padEnd(22)
    const ratios = rounds['12k'].map(
      ({ perSecond }, round) => perSecond / (rounds['1M'][round]?.perSecond ?? Number.NaN)
    )
    const used = (size: keyof typeof rounds): string =>
      `${medianOf(rounds[size], 'cpuMicroseconds')}+${medianOf(rounds[size], 'databaseMicroseconds')}`
    const spent = (round: ScaleMeasure | undefined): number =>
      round === undefined ? Number.NaN : round.cpuMicroseconds + round.databaseMicroseconds
    const work = rounds['12k'].map((round, at) => spent(rounds['1M'][at]) / spent(round))
    const wrong = Object.values(rounds)
      .flat()
      .reduce((sum, round) => sum + round.wrong, 0)
    return [
      name.padEnd(15),
      rate('12k'),
      rate('72k'),
      rate('1M'),
      quartiles(ratios, 2).padEnd(19),
      String(goal).padEnd(5),
      (at(ratios, 0.5) <= goal && at(rounds['1M'].map(spent), 0.5) <= most ? 'yes' : 'no').padEnd(4),
      used('12k').padEnd(11),
      used('1M').padEnd(11),
      quartiles(work, 2),
      wrong > 0 ? ` ${wrong} wrong answers` : ''
    ].join(' ')
  })
  return [
    head,
    ...lines,
    'median [quartiles] of the rounds; us: processor time of a request, server + database; on a busy machine its ratio tells more than that of the times'
  ].join('\n')
}
