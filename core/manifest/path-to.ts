import { parseSegments, type Route } from './route.ts'
import { answering } from './target.ts'

/**
 * Returns the path of a surface by its id: `pathTo('books/book', { isbn })`. Values are percent-encoded. Throws an
 * Error for an unknown id, a placeholder without a value or a value without a placeholder, because each is a bug in the
 * program. `pattern` returns the path with its placeholders, as documents show it: `/api/v1/books/{isbn}`. `at` returns
 * that of the surface that answers at a path, or undefined if there is none.
 */
export type PathTo = ((id: string, values?: Readonly<Record<string, string>>) => string) &
  Readonly<{ pattern: (id: string) => string; at: (path: string) => string | undefined }>

/** Matches text that `encodeURIComponent` leaves unchanged, which is faster to test: most values are such text. */
const plain = /^[\w.~-]*$/
const encoded = (value: string): string => (plain.test(value) ? value : encodeURIComponent(value))

/** A path in pieces: the text `before` each placeholder, and the `end`. */
type Pieces = Readonly<{ path: string; placeholders: readonly string[]; before: readonly string[]; end: string }>

function piecesOf({ path, placeholders }: Pick<Route, 'path' | 'placeholders'>): Pieces {
  const before: string[] = []
  let end = path
  for (const name of placeholders) {
    const [piece = '', rest = ''] = end.split(`{${name}}`)
    before.push(piece)
    end = rest
  }
  return { path, placeholders, before, end }
}

export function compilePathTo(
  byId: ReadonlyMap<string, Readonly<{ route: Pick<Route, 'path' | 'placeholders' | 'segments'> }>>
): PathTo {
  const known = new Map<string, Pieces>()
  const routeOf = (id: string): Pieces => {
    const found = known.get(id)
    if (found !== undefined) return found
    const surface = byId.get(id)
    if (surface === undefined) throw new Error(`A path was asked for by the id \`${id}\`, which no surface has.`)
    const pieces = piecesOf(surface.route)
    known.set(id, pieces)
    return pieces
  }
  const pathTo = (id: string, values: Readonly<Record<string, string>> = {}): string => {
    const { placeholders, before, end } = routeOf(id)
    for (const name in values)
      if (!placeholders.includes(name)) throw new Error(`The path of \`${id}\` has no placeholder \`${name}\`.`)
    let filled = ''
    for (const [at, name] of placeholders.entries()) {
      const value = values[name]
      if (value === undefined) throw new Error(`The path of \`${id}\` needs a value for \`${name}\`.`)
      filled += (before[at] ?? '') + encoded(value)
    }
    return filled + end
  }
  const at = (path: string): string | undefined => answering(byId.values(), parseSegments(path))?.route.path
  return Object.assign(pathTo, { pattern: (id: string) => routeOf(id).path, at })
}
