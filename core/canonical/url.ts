/**
 * A text as a URL (WHATWG URL §4.4); `undefined` for one that is none. `URL.canParse` is not asked: in Node 20, once it
 * is compiled, it refuses addresses with letters of Latin-1 outside of ASCII, such as `https://bücher.example`.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
