import { join, sep } from 'node:path'
import { writtenEndings } from '../handler-files.ts'

/** Each file of code, with those that it imports, as absolute paths. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** The files that import one of these, directly or not, and these. */
function importersOf(imports: Imports, files: readonly string[]): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of imports)
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), file])
  const found = new Set(files)
  // A set that grows while it is walked gives what was added too.
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
  return found
}

/**
 * The ids of the surfaces whose code has one of the files in it, before or after an edit; undefined where all surfaces
 * with code may have it, such as by way of the services of their root.
 */
export function surfacesTouched(
  folders: readonly string[],
  states: readonly Imports[],
  files: readonly string[]
): readonly string[] | undefined {
  const reached = [...new Set(states.flatMap(imports => [...importersOf(imports, files)]))]
  const ids: string[] = []
  for (const folder of folders) {
    const surfaces = join(folder, 'surfaces') + sep
    const handlers = join(surfaces, 'handlers') + sep
    for (const file of reached.filter(one => one.startsWith(surfaces))) {
      const path = file.slice(surfaces.length)
      const written = writtenEndings.find(ending => file.endsWith(ending))
      if (written === undefined) continue
      if (file.startsWith(handlers)) ids.push(file.slice(handlers.length, -written.length).replaceAll('\\', '/'))
      else if (path === `services${written}`) return undefined
    }
  }
  return ids
}
