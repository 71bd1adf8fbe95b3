import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { humanise } from '../format/format.ts'
import { placeholdersOf } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { Registry } from '../registry/registry.ts'

/** Files of a new surface by their path below the root. */
export type Files = Readonly<Record<string, string>>

/** The arguments of `pantry new`. */
export type ScaffoldRequest = Readonly<{
  id: string
  path: string | undefined
  corpus: string | undefined
  document: string | undefined
}>

/** What callers can ask of the rows of a table: names of its columns. */
export type AskedOfRows = Readonly<{ filters: readonly string[]; sort: readonly string[] }>

export type ScaffoldPlace = Readonly<{
  registry: Registry
  folder: string
  /** What callers can ask of the table of the surface, if the database has it. */
  asked?: AskedOfRows | undefined
  /** Path, below the root, of the file with its own `defineHandler`, if there is one. */
  definer: string | undefined
}>

/** The next migration of a root: its name without number, and what it runs to make something and to remove it. */
export type NewMigration = Readonly<{ name: string; up: readonly string[]; down: string }>

/** What a kind adds to the common fields of a new manifest, and further files. */
export type ScaffoldParts = Readonly<{
  path: string
  tier?: string
  fields: Readonly<Record<string, unknown>>
  provenance: string
  contract?: string
  formats?: readonly string[]
  examples?: readonly object[]
  files?: Files
  migration?: NewMigration | undefined
}>

/** Makes the parts of a new surface. Throws a ScaffoldError if no such surface is possible. */
export type Scaffold = (wanted: ScaffoldRequest, place: ScaffoldPlace) => ScaffoldParts

/** The error for a surface that `pantry new` cannot create; its message is shown to the user. */
export class ScaffoldError extends Error {}

const withoutEnding = (id: string): string => id.replace(/\.[a-z]+$/, '')

/** Returns a name for a corpus or document: the last part of the id of a surface, with hyphens for `.` and `_`. */
export const nameOf = (id: string): string => (withoutEnding(id).split('/').at(-1) ?? id).replaceAll(/[._]/g, '-')

/**
 * Returns the corpus of a surface that shows one entry: without a name, that of the list which the path, or else the
 * id, lies below; if there is none, the last part of the id.
 */
export function corpusOfOne({ id, path, corpus }: ScaffoldRequest, { surfaces, corpora }: Registry): string {
  const name = corpus ?? nameOf(id)
  if (corpora.has(name) || corpus !== undefined) return name
  const above = (text: string): string => text.slice(0, text.lastIndexOf('/'))
  const list = surfaces.find(
    surface =>
      surface.shows?.as === 'list' &&
      (path === undefined ? surface.id === above(id) : surface.route.path === above(path))
  )
  return list?.shows?.corpus ?? name
}

/** Returns the method that the id of a surface ends in: `POST` for `loans.post`, `undefined` for `loans`. */
export const methodOf = (id: string): string | undefined => /\.(post|put|patch|delete)$/.exec(id)?.[1]?.toUpperCase()

export const defaultPath = (id: string): string => `/api/v1/${withoutEnding(id)}`

export function withoutPlaceholders(kind: string, path: string): string {
  if (placeholdersOf(path).length > 0)
    throw new ScaffoldError(`The path of a \`${kind}\` surface has no placeholders, but it is \`${path}\`.`)
  return path
}

export function paramsExample(path: string): { examples?: readonly object[] } {
  const names = placeholdersOf(path)
  return names.length === 0
    ? {}
    : { examples: [{ title: 'An example', params: Object.fromEntries(names.map(name => [name, 'example'])) }] }
}

export function paramsLine(path: string): string {
  const params = placeholdersOf(path).map(name => `${name}: Type.String({ minLength: 1, maxLength: 160 })`)
  return params.length === 0 ? '' : `  params: Type.Object({ ${params.join(', ')} }),\n`
}

/** Returns the file with the code of a surface: TypeScript in a root with a `tsconfig.json`, otherwise JavaScript. */
export function codeFile(
  id: string,
  { folder }: ScaffoldPlace,
  ending: 'ts' | 'tsx',
  textOf: (typed: boolean) => string
): Files {
  return existsSync(join(folder, 'tsconfig.json'))
    ? { [`surfaces/handlers/${id}.${ending}`]: textOf(true) }
    : { [`surfaces/handlers/${id}.js`]: `// @ts-check\n${textOf(false)}` }
}

const corpusText = (name: string, license: string): string => `# What the collection is, and under which rights.
title: ${humanise(name)}
# Field that names an entry.
key: id
# Fields to sort by; \`-field\` from high to low.
order: [id]
license: ${license}
# Where the content comes from.
source: Written for this service.
# Fields that text renderings show.
roles: { title: title, text: text }
`

const schemaText = `# JSON Schema of one entry.
type: object
additionalProperties: false
required: [id, title, text]
properties:
  id: { type: string, pattern: '^[a-z0-9-]{1,60}$', description: Name of the entry. }
  title: { type: string, minLength: 1, maxLength: 120, description: Heading. }
  text: { type: string, minLength: 1, maxLength: 2000, description: The entry itself. }
`

/** The entry is a file of its own: editors cannot check the items of a list against the schema of one entry. */
const entryText = `# yaml-language-server: $schema=../schema.yaml
# One entry; the file is named as its key.
id: first
title: The first entry
text: Replace it with your own.
`

export const corpusFiles = (name: string, license: string): Files => ({
  [`corpora/${name}/corpus.yaml`]: corpusText(name, license),
  [`corpora/${name}/schema.yaml`]: schemaText,
  [`corpora/${name}/entries/first.yaml`]: entryText
})

/** Words of `service.yaml` that a new manifest can use together without an error. */
type ManifestWords = Readonly<{ license: string; source: string; freshness: string }>

const anHour = 3600

/**
 * Returns a source and a license tier that one surface may have together, and the freshness key nearest to an hour.
 * `tier`: the license tier of the content, which is kept.
 */
export function manifestWordsOf({ tiers, sources, freshness }: Service, tier?: string): ManifestWords {
  const labels = Object.entries(sources)
  const isOpen = (license: string): boolean => tiers[license]?.open === true
  const [source = '', { license: own } = { license: '' }] =
    (tier === undefined ? undefined : labels.find(([, { license }]) => license === tier)) ??
    labels.find(([, { license }]) => isOpen(license)) ??
    labels[0] ??
    []
  const closed = Object.keys(tiers).find(name => !isOpen(name))
  const license = tier ?? (own in tiers ? own : (closed ?? Object.keys(tiers)[0] ?? ''))
  const [[key] = ['']] = Object.entries(freshness).sort(
    ([, a], [, b]) => Math.abs(a.seconds - anHour) - Math.abs(b.seconds - anHour)
  )
  return { license, source, freshness: key }
}
