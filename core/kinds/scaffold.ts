import { placeholdersOf } from '../manifest/route.ts'
import type { Registry } from '../registry/registry.ts'

/** Files of a new surface by their path below the root. */
export type Files = Readonly<Record<string, string>>

/** What `pantry new` is asked for. */
export type Wanted = Readonly<{
  /** Id of the surface. */
  id: string
  path: string | undefined
  corpus: string | undefined
  document: string | undefined
}>

export type Place = Readonly<{
  registry: Registry
  /** Folder of the root. */
  folder: string
  /** The file of the root with a `defineHandler` of its own, which knows its services: its path below the root. */
  definer: string | undefined
}>

/** What a kind adds to the facets, and the files it needs beside the manifest. */
export type Parts = Readonly<{
  path: string
  /** License tier of the content, where it has one already. */
  tier?: string
  fields: Readonly<Record<string, unknown>>
  provenance: string
  contract?: string
  formats?: readonly string[]
  examples?: readonly object[]
  files?: Files
}>

/** Makes the parts of a new surface; throws a `ScaffoldError` for what cannot be made. */
export type Scaffold = (wanted: Wanted, place: Place) => Parts

/** What was asked for cannot be made. The message is for the person who asked. */
export class ScaffoldError extends Error {}

const lastWord = (id: string): string =>
  id
    .replace(/\.[a-z]+$/, '')
    .split('/')
    .at(-1) ?? id

/** The name of a corpus or document: letters, digits and single hyphens. */
export const nameOf = (id: string): string => lastWord(id).replaceAll(/[._]/g, '-')

export const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

export const defaultPath = (id: string): string => `/api/v1/${id.replace(/\.[a-z]+$/, '')}`

export function withoutPlaceholders(kind: string, path: string): string {
  if (placeholdersOf(path).length > 0)
    throw new ScaffoldError(`The path of a \`${kind}\` surface has no placeholders, but it is \`${path}\`.`)
  return path
}

/** An example for each placeholder; none when the path has none. */
export function paramsExample(path: string): { examples?: readonly object[] } {
  const names = placeholdersOf(path)
  return names.length === 0
    ? {}
    : { examples: [{ title: 'An example', params: Object.fromEntries(names.map(name => [name, 'example'])) }] }
}
