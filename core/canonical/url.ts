/**
 * Parses a text as an absolute URL (WHATWG URL §4.4); returns `undefined` if it is none. `URL.canParse` is not used,
 * because once compiled, that of Node 20 refuses URLs with Latin-1 letters outside ASCII: `https://bücher.example`.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const pathAt = (baseUrl: string): number => {
  const at = baseUrl.indexOf('/', baseUrl.indexOf('//') + 2)
  return at === -1 ? baseUrl.length : at
}

/** Returns the origin of a base URL: `https://data.example.org` of `https://data.example.org/pantry`. */
export const originOf = (baseUrl: string): string => baseUrl.slice(0, pathAt(baseUrl))

/** Returns the path of a base URL without a slash at its end: `/pantry`; the empty text if it is only an origin. */
export const basePathOf = (baseUrl: string): string => baseUrl.slice(pathAt(baseUrl)).replace(/\/$/, '')

/** The form of the path of a base URL. */
export const basePathForm = '(?:/[A-Za-z0-9_-]+)*/?'
