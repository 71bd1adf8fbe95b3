import { sep } from 'node:path'
import { writtenEndings } from '../handler-files.ts'
import type { Touched } from './duties.ts'

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

/** Files that only one of two states has: they came, went or got another name with their folder. */
const onlyInOne = (before: Imports, after: Imports): readonly string[] =>
  [...before.keys(), ...after.keys()].filter(file => !(before.has(file) && after.has(file)))

/**
 * The surfaces whose code has one of the files in it, before or after an edit. Services, migrations and what else is
 * no handler may be in all that have code.
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
      // `surfaces/services`, and the others that the framework asks for.
      else if (part === 'migrations' || (part === 'surfaces' && path.length === 0 && isAsked(file, after)))
        return 'coded'
    }
  }
  return [...new Set(ids)]
}

/** Whether nothing imports a file, so that the framework does, or nobody. */
const isAsked = (file: string, imports: Imports): boolean =>
  ![...imports.values()].flat().some(one => writtenEndings.some(ending => one === file + ending))
