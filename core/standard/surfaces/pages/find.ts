type Searched = Readonly<{ path: string; summary: string; parameters: readonly string[] }>

/**
 * Returns the text that a search looks through, in lower case: summary, path, parameters and area of a surface. The
 * script `explore.js` reads it from the page.
 */
export const searchedText = (area: string, { path, summary, parameters }: Searched): string =>
  [summary, path, ...parameters, area].join(' ').toLowerCase()

/**
 * Whether a text contains all words of a search, also as parts of words; case is ignored. The script has the same rule.
 */
export const isFound = (q: string, text: string): boolean =>
  q
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
