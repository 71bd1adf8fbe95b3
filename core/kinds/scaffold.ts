import { placeholdersOf } from '../manifest/paths.ts'
import type { Registry } from '../registry/registry.ts'

/** Files of a new surface by their path below the root. */
export type Files = Readonly<Record<string, string>>

/** The arguments of `pantry new`. */
export type ScaffoldRequest = Readonly<{
  /** Id of the surface. */
  id: string
  path: string | undefined
  corpus: string | undefined
  document: string | undefined
}>

export type ScaffoldPlace = Readonly<{
  registry: Registry
  /** Folder of the root. */
  folder: string
  /**
   * Path below the root of the file with the root's own `defineHandler`, which knows its services; undefined without
   * one.
   */
  definer: string | undefined
}>

/** What a kind adds to the common fields of a new manifest, and the files it needs besides the manifest. */
export type Parts = Readonly<{
  path: string
  /** License tier of the content, if it has one already. */
  tier?: string
  fields: Readonly<Record<string, unknown>>
  provenance: string
  contract?: string
  formats?: readonly string[]
  examples?: readonly object[]
  files?: Files
}>

/** Makes the parts of a new surface; throws a `ScaffoldError` if that is not possible. */
export type Scaffold = (wanted: ScaffoldRequest, place: ScaffoldPlace) => Parts

/** The requested surface cannot be made. The message is displayed to the user of `pantry new`. */
export class ScaffoldError extends Error {}

const lastWord = (id: string): string =>
  id
    .replace(/\.[a-z]+$/, '')
    .split('/')
    .at(-1) ?? id

/** Returns a name for a corpus or document: `.` and `_` become hyphens. */
export const nameOf = (id: string): string => lastWord(id).replaceAll(/[._]/g, '-')

export const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

export const defaultPath = (id: string): string => `/api/v1/${id.replace(/\.[a-z]+$/, '')}`

export function withoutPlaceholders(kind: string, path: string): string {
  if (placeholdersOf(path).length > 0)
    throw new ScaffoldError(`The path of a \`${kind}\` surface has no placeholders, but it is \`${path}\`.`)
  return path
}

/** Returns an example with a value for each placeholder; none if the path has no placeholders. */
export function paramsExample(path: string): { examples?: readonly object[] } {
  const names = placeholdersOf(path)
  return names.length === 0
    ? {}
    : { examples: [{ title: 'An example', params: Object.fromEntries(names.map(name => [name, 'example'])) }] }
}
