/**
 * Cells with a lower expected count are merged, because the chi-square distribution is an approximation (Cochran's
 * rule).
 */
const leastExpected = 5

export type ChiSquare = Readonly<{ statistic: number; degrees: number }>

type Cell = Readonly<{ observed: number; weight: number }>

/**
 * Returns Pearson's statistic for counts with weights. Rare cells are merged until each expected count is at least
 * five.
 */
export function chiSquare(cells: readonly Cell[]): ChiSquare {
  const [samples, weights] = [
    cells.reduce((sum, { observed }) => sum + observed, 0),
    cells.reduce((sum, { weight }) => sum + weight, 0)
  ]
  if (samples === 0) return { statistic: 0, degrees: 0 }
  const groups: { observed: number; expected: number }[] = []
  for (const { observed, weight } of [...cells].sort((a, b) => a.weight - b.weight)) {
    const [last, expected] = [groups.at(-1), (samples * weight) / weights]
    if (last !== undefined && last.expected < leastExpected)
      Object.assign(last, { observed: last.observed + observed, expected: last.expected + expected })
    else if (weight > 0) groups.push({ observed, expected })
  }
  const [last, before] = [groups.at(-1), groups.at(-2)]
  if (last !== undefined && before !== undefined && last.expected < leastExpected) {
    groups.pop()
    Object.assign(before, { observed: before.observed + last.observed, expected: before.expected + last.expected })
  }
  return {
    statistic: groups.reduce((sum, { observed, expected }) => sum + (observed - expected) ** 2 / expected, 0),
    degrees: Math.max(0, groups.length - 1)
  }
}

/** Adds up the results of independent samples: both statistics and degrees of freedom are additive. */
export const together = (parts: readonly ChiSquare[]): ChiSquare =>
  parts.reduce(
    (sum, { statistic, degrees }) => ({ statistic: sum.statistic + statistic, degrees: sum.degrees + degrees }),
    { statistic: 0, degrees: 0 }
  )

/** Returns the logarithm of the gamma function at `twice` / 2, for an integer `twice` of at least 1. */
function logGammaOfHalf(twice: number): number {
  let sum = twice % 2 === 0 ? 0 : Math.log(Math.PI) / 2
  for (let at = 2 - (twice % 2); at < twice; at += 2) sum += Math.log(at / 2)
  return sum
}

/** The distance beyond which the tail probability is 0 in floating point. */
const farOut = 700

/**
 * Returns the probability that chance alone gives this statistic or a larger one: 1 minus the regularised lower
 * incomplete gamma function, by its series (DLMF 8.11.4). `null` without degrees of freedom.
 */
export function pValue({ statistic, degrees }: ChiSquare): number | null {
  if (degrees === 0) return null
  const [x, shape] = [statistic / 2, degrees / 2]
  if (x === 0) return 1
  if (x > farOut + shape) return 0
  let [term, sum] = [1, 1]
  for (let step = 1; term > sum * 1e-17; step += 1) {
    term *= x / (shape + step)
    sum += term
  }
  return Math.min(1, Math.max(0, 1 - Math.exp(shape * Math.log(x) - x - logGammaOfHalf(degrees + 2) + Math.log(sum))))
}
