/** Links to the same set shown otherwise. */
export const setLinks =
  (path: string, now: Readonly<Record<string, string>>) =>
  (change: Readonly<Record<string, string>>): string =>
    `${path}?${new URLSearchParams({ ...now, ...change }).toString()}`

/** Links from the page of a set to those of its numbers. */
export const cardLinks =
  (path: string) =>
  (number: string): string =>
    `${path}/${encodeURIComponent(number.toLowerCase())}`
