const runs = /[0-9]+|[^0-9]+/g

/**
 * A text whose code units are in the order in which people count: a number begins with how many digits it has, leading
 * zeros apart, and what is no number ends before every other character. No fact holds the character U+0000.
 */
const naturalKey = (text: string): string =>
  text.replace(runs, run => {
    if (run < '0' || run >= ':') return `${run}\0`
    const digits = run.replace(/^0+/, '')
    return `0${String.fromCharCode(digits.length)}${digits}`
  })

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Compares texts as people count: `A2` before `A10`. Total and the same on every machine: no locale is asked, and texts
 * that count the same (`A1`, `A01`) are ordered by their code units.
 */
export const naturalOrder = (a: string, b: string): number =>
  a === b ? 0 : compare(naturalKey(a), naturalKey(b)) || compare(a, b)

/**
 * Sorts by several texts of each value, one after the other, as `naturalOrder` compares them. Each text is looked at
 * once.
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
