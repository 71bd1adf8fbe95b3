import { sep } from 'node:path'
import { writtenEndings } from '../handler-files.ts'
import type { Touched } from './duties.ts'

/** Maps each code file to the files that it imports, as absolute paths. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** Returns the given files and all files that import one of them, directly or indirectly. */
function importersOf(imports: Imports, files: readonly string[]): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of imports)
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), file])
  const found = new Set(files)
  // The loop also visits entries that are added to the set while it runs.
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
  return found
}

/** Returns the files that only one of two states has: created, deleted or renamed ones. */
const onlyInOne = (before: Imports, after: Imports): readonly string[] =>
  [...before.keys(), ...after.keys()].filter(file => !(before.has(file) && after.has(file)))

/**
 * Returns the surfaces whose code contains or imports one of the files, before or after an edit. For services,
 * migrations and other code that is not a handler, returns `coded`, since every surface with code may use it.
 */
export function surfacesTouched(
  folders: readonly string[],
  before: Imports,
  after: Imports,
  files: readonly string[]
): Touched {
  const changed = [...files, ...onlyInOne(before, after)]
  const reached = [...new Set([before, after].flatMap(imports => [...importersOf(imports, changed)]))].flatMap(file => {
    const ending = writtenEndings.find(one => file.endsWith(one))
    return ending === undefined ? [] : [file.slice(0, -ending.length).replaceAll('\\', '/')]
  })
  const ids: string[] = []
  for (const folder of folders.map(one => one.split(sep).join('/'))) {
    for (const file of reached.filter(one => one.startsWith(`${folder}/`))) {
      const [part, place, ...path] = file.slice(folder.length + 1).split('/')
      if (part === 'surfaces' && place === 'handlers') ids.push(path.join('/'))
      // `surfaces/services` and other modules that the framework loads by name.
      else if (part === 'migrations' || (part === 'surfaces' && path.length === 0 && isAsked(file, after)))
        return 'coded'
    }
  }
  return [...new Set(ids)]
}

/** Whether no other file imports a file, so that it may be one that the framework loads by name. */
const isAsked = (file: string, imports: Imports): boolean =>
  ![...imports.values()].flat().some(one => writtenEndings.some(ending => one === file + ending))
