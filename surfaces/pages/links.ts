/** Returns a function that links to the same set page with changed query parameters. */
export const setLinks =
  (path: string, now: Readonly<Record<string, string>>) =>
  (change: Readonly<Record<string, string>>): string =>
    `${path}?${new URLSearchParams({ ...now, ...change }).toString()}`

/** Returns a function that links from a set page to the page of a card number. */
export const cardLinks =
  (path: string) =>
  (number: string): string =>
    `${path}/${encodeURIComponent(number.toLowerCase())}`
