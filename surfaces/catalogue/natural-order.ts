const runs = /[0-9]+|[^0-9]+/g

/**
 * Returns a text whose order by code units is the natural order: each run of digits gets its length (without leading
 * zeros) as prefix, and each other run ends with U+0000, which sorts first. No fact contains U+0000.
 */
const naturalKey = (text: string): string =>
  text.replace(runs, run => {
    if (run < '0' || run >= ':') return `${run}\0`
    const digits = run.replace(/^0+/, '')
    return `0${String.fromCharCode(digits.length)}${digits}`
  })

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Compares texts in natural order: `A2` before `A10`. The order is total and does not depend on the locale; texts with
 * equal numbers (`A1`, `A01`) are ordered by code units.
 */
export const naturalOrder = (a: string, b: string): number =>
  a === b ? 0 : compare(naturalKey(a), naturalKey(b)) || compare(a, b)

/**
 * Sorts values in `naturalOrder` by several texts each, the first text taking precedence. Each key is computed once.
 */
export const sortNaturally = <T>(values: readonly T[], textsOf: (value: T) => readonly string[]): T[] =>
  values
    .map(value => ({
      value,
      key: textsOf(value)
        .map(text => `${naturalKey(text)}\0${text}\0`)
        .join('')
    }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ value }) => value)
