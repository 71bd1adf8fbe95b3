/**
 * Parses a text as a URL (WHATWG URL §4.4); returns `undefined` if it is not one. `URL.canParse` is not used: once
 * compiled, Node 20's version refuses addresses with Latin-1 letters outside ASCII, such as `https://bücher.example`.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
