import type { Route } from './surface.ts'

/**
 * Paths of surfaces by their ids: `pathTo('books/book', { isbn })`. Values are percent-encoded. An id that there is not, a placeholder
 * without a value and a value without a placeholder are faults of the program: each throws an Error. `pattern` gives the path with its
 * placeholders, as documents show it: `/api/v1/books/{isbn}`.
 */
export type PathTo = ((id: string, values?: Readonly<Record<string, string>>) => string) & Readonly<{ pattern: (id: string) => string }>

export function compilePathTo (byId: ReadonlyMap<string, Readonly<{ route: Pick<Route, 'path' | 'placeholders'> }>>): PathTo {
  const routeOf = (id: string): Pick<Route, 'path' | 'placeholders'> => {
    const surface = byId.get(id)
    if (surface === undefined) throw new Error(`A path was asked for by the id \`${id}\`, which no surface has.`)
    return surface.route
  }
  const pathTo = (id: string, values: Readonly<Record<string, string>> = {}): string => {
    const { path, placeholders } = routeOf(id)
    for (const name in values) if (!placeholders.includes(name)) throw new Error(`The path of \`${id}\` has no placeholder \`${name}\`.`)
    let filled = path
    for (const name of placeholders) {
      const value = values[name]
      if (value === undefined) throw new Error(`The path of \`${id}\` needs a value for \`${name}\`.`)
      // The value is percent-encoded, so no later placeholder is found in it.
      const [before = '', after = ''] = filled.split(`{${name}}`)
      filled = before + encodeURIComponent(value) + after
    }
    return filled
  }
  return Object.assign(pathTo, { pattern: (id: string) => routeOf(id).path })
}
