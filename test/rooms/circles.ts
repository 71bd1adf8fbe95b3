import { doorOf } from '../run/files.ts'
import { targetOf, type SourceCode } from '../support/source-code.ts'

type Edges = ReadonlyMap<string, ReadonlySet<string>>

/** Who imports whom, among these files; `nameOf` makes folders of them. */
function edgesOf(files: readonly SourceCode[], withTypes: boolean, nameOf: (file: string) => string): Edges {
  const known = new Set(files.map(({ file }) => file))
  const edges = new Map<string, Set<string>>()
  for (const { file, imports } of files)
    for (const { name, isType } of imports) {
      const target = targetOf(file, name) ?? doorOf(name)
      if (target === undefined || !known.has(target) || (isType && !withTypes)) continue
      const [from, to] = [nameOf(file), nameOf(target)]
      edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  return edges
}

/** Names that reach each other, the largest group first (Tarjan's strongly connected components). */
function groupsOf(edges: Edges): readonly (readonly string[])[] {
  const groups: string[][] = []
  const [places, lowest, open] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()]
  const visit = (name: string): number => {
    const place = places.size
    places.set(name, place)
    open.add(name)
    let low = place
    for (const next of edges.get(name) ?? []) {
      if (!places.has(next)) low = Math.min(low, visit(next))
      else if (open.has(next)) low = Math.min(low, lowest.get(next) ?? places.get(next) ?? low)
      lowest.set(name, low)
    }
    if (low === place) {
      const group = [...open].slice([...open].indexOf(name))
      for (const one of group) open.delete(one)
      if (group.length > 1) groups.push(group.sort())
    }
    return low
  }
  for (const name of edges.keys()) if (!places.has(name)) visit(name)
  return groups.sort((one, other) => other.length - one.length || (one.join() < other.join() ? -1 : 1))
}

/**
 * Circles of imports between files, or between what `nameOf` makes of them: each is a largest group whose members reach
 * each other. `withTypes` follows `import type` as well.
 */
export const circlesOf = (
  files: readonly SourceCode[],
  withTypes: boolean,
  nameOf: (file: string) => string = file => file
): readonly (readonly string[])[] => groupsOf(edgesOf(files, withTypes, nameOf))
