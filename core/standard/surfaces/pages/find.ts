type Searched = Readonly<{ name: string, path: string, summary: string, parameters: readonly string[] }>

/** Whether a surface has all words of a search, as parts of words, in any letter case. The script `explore.js` finds the same. */
export function isFound (q: string, { path, summary, parameters }: Searched): boolean {
  const text = [summary, path, ...parameters].join(' ').toLowerCase()
  return q.toLowerCase().split(/\s+/).every(word => text.includes(word))
}
