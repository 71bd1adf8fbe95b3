/**
 * Returns a count with its noun, such as `1 error` or `2 errors`; `many` is the plural if it is not formed with `s`.
 */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Returns words as messages name them: each between backticks, with `between` in between. */
export const quotedList = (words: Iterable<string>, between = ', '): string =>
  Array.from(words, word => `\`${word}\``).join(between)
