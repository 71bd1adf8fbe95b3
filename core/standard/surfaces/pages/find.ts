type Searched = Readonly<{ path: string; summary: string; parameters: readonly string[] }>

/**
 * What a search looks at, in lower case: what a surface does, its path, its parameters and its area. The script
 * `explore.js` reads it from the page.
 */
export const searchedText = (area: string, { path, summary, parameters }: Searched): string =>
  [summary, path, ...parameters, area].join(' ').toLowerCase()

/** Whether a text has all words of a search, as parts of words, in any letter case. The script does the same. */
export const isFound = (q: string, text: string): boolean =>
  q
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
