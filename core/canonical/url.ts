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
