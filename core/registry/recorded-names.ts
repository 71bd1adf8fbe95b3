import { readFileSync } from 'node:fs'
import { deepFreeze, isObject, type JsonValue } from '../canonical/json.ts'
import type { FolderFile, LoadCache } from '../source/read-folder.ts'
import { knownYaml } from '../source/read-yaml.ts'
import type { SourceFile } from '../source/report.ts'

/** Name of the file with recorded names below `manifests/`. Where there is one, `pantry test --record` keeps it. */
export const namesFile = 'names.json'

/**
 * The operation that has a name: its surface, method and path. `tool`: the surface has this name as a tool too.
 * `deprecated`: since when the surface is deprecated, so that it may go and leave its name unused.
 */
export type RecordedName = Readonly<{ surface: string; method: string; path: string; tool?: true; deprecated?: string }>

export type RecordedNames = Readonly<Record<string, RecordedName>>

/** The names of a root, and the file that has them. `names` is undefined if the file cannot be read. */
export type NamesFile = Readonly<{ source: SourceFile; names: RecordedNames | undefined }>

const form = /^[a-zA-Z_][a-zA-Z0-9_]{0,62}$/

const isRecorded = (entry: [string, JsonValue]): entry is [string, RecordedName] => {
  const [name, value] = entry
  return (
    form.test(name) &&
    isObject(value) &&
    ['surface', 'method', 'path'].every(member => typeof value[member] === 'string') &&
    (value['tool'] === undefined || value['tool'] === true) &&
    (value['deprecated'] === undefined || typeof value['deprecated'] === 'string')
  )
}

function parsed({ real }: FolderFile): JsonValue | undefined {
  try {
    return JSON.parse(readFileSync(real, 'utf8')) as JsonValue
  } catch {
    return undefined
  }
}

/** Returns the file with the recorded names of a root; undefined if there is none. */
export function readNames(files: readonly FolderFile[], reuse: LoadCache): NamesFile | undefined {
  const file = files.find(({ name }) => name === namesFile)
  if (file === undefined) return undefined
  return reuse.of(file.path, [file.bytes], () => {
    const value = parsed(file)
    const entries = isObject(value) ? Object.entries<JsonValue>(value) : undefined
    return {
      source: knownYaml(file.path, file.bytes, deepFreeze(value)),
      names: entries?.every(isRecorded) === true ? Object.fromEntries(entries.filter(isRecorded)) : undefined
    }
  })
}

/** Writes each name on one line, so that a change of one is a one-line diff. */
export const namesText = (names: RecordedNames): string =>
  Object.keys(names).length === 0
    ? '{}\n'
    : `{\n${Object.entries(names)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
        .join(',\n')}\n}\n`
