import { isUtf8 } from 'node:buffer'
import { readdir } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import { languageTag } from '../languages.ts'
import { bytesOf, decoderOf } from '../reading/files.ts'
import { exportsOf } from '../reading/literals.ts'
import { tablesOfFile } from '../reading/row-files.ts'
import { delimiters } from '../reading/shapes.ts'
import type { FileOfSource, StatedEncoding } from '../source.ts'
import { findFields, weighted, type FoundFields } from './map.ts'
import { deeperSteps, isOfRows, outermostOf, sampleOf, type FolderReader, type RowSteps, type Sample } from './rows.ts'

const shapeOfEnding: Readonly<Record<string, FileOfSource['shape']>> = {
  '.json': 'json',
  '.jsonl': 'json-lines',
  '.ndjson': 'json-lines',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.xml': 'xml',
  '.csv': 'table',
  '.tsv': 'table',
  '.txt': 'table',
  '.ts': 'literals',
  '.mts': 'literals',
  '.js': 'literals',
  '.mjs': 'literals',
  '.cjs': 'literals',
  '.sqlite': 'sqlite',
  '.sqlite3': 'sqlite',
  '.db': 'sqlite',
  '.xlsx': 'xlsx'
}
/** The name of a file without the ending that gzip adds. */
const plainName = (path: string): string => path.replace(/\.gz$/, '')

/**
 * Returns the shape of a file by its ending or, where that says nothing, by its beginning: JSON begins with a bracket,
 * and a stream of YAML with `---`.
 */
async function shapeOfFile(folder: string, path: string): Promise<FileOfSource['shape'] | undefined> {
  const known = shapeOfEnding[extname(plainName(path))]
  if (known !== undefined || extname(plainName(path)) === '') return known
  const { head } = await headOf(join(folder, path)).catch(() => ({ head: '' }))
  return /^\s*[[{]\s*["{[]/.test(head) ? 'json' : /^---\r?\n/.test(head) ? 'yaml' : undefined
}

const noData =
  /\.d\.[cm]?ts$|^(?:package(?:-lock)?|tsconfig.*|composer|manifest|bower|jsconfig|robots|readme|licen[cs]e|changelog)\.[a-z]+$|\.md$/i

/** Groups the files that may hold rows by folder and extension. Paths are relative to the folder and use `/`. */
export async function groupsOf(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, string[]>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const parts = relative(folder, join(entry.parentPath, entry.name)).split(sep)
    if (
      !entry.isFile() ||
      noData.test(entry.name) ||
      parts.some(name => name.startsWith('.') || name === 'node_modules')
    )
      continue
    const ending = entry.name.slice(plainName(entry.name).lastIndexOf('.') + 1)
    const key = [...parts.slice(0, -1), `*.${ending}`].join('/')
    groups.set(key, [...(groups.get(key) ?? []), parts.join('/')])
  }
  const found = await Promise.all(
    [...groups].map(async ([key, paths]) => {
      const [first = ''] = paths.sort()
      return (await shapeOfFile(folder, first)) === undefined ? [] : ([[key, paths]] as const)
    })
  )
  return new Map(found.flat())
}

/** Returns the endings of the files of a folder with their numbers, the commonest first, as a message lists them. */
export async function endingsIn(folder: string): Promise<string> {
  const counts = new Map<string, number>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) counts.set(extname(entry.name), (counts.get(extname(entry.name)) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([ending, files]) => `${files} ${ending === '' ? 'without an ending' : `\`${ending}\``}`)
    .join(', ')
}

const lookedAt = 65_536

/** Returns the first 64 KiB of a file as text, and its encoding if the declaration must state it. */
async function headOf(path: string): Promise<Readonly<{ head: string; encoding: StatedEncoding | undefined }>> {
  const pieces: Buffer[] = []
  for await (const piece of bytesOf(path)) {
    pieces.push(piece)
    if (pieces.reduce((sum, { length }) => sum + length, 0) >= lookedAt) break
  }
  const bytes = Buffer.concat(pieces).subarray(0, lookedAt)
  const hasMark = decoderOf(bytes, undefined) !== undefined
  // The read may end within a character of up to 4 bytes, so up to 3 bytes at the end are ignored.
  const isPlain = hasMark || [0, 1, 2, 3].some(cut => isUtf8(bytes.subarray(0, bytes.length - cut)))
  const encoding = isPlain ? undefined : 'windows-1252'
  return { head: decoderOf(bytes, encoding)?.(bytes) ?? bytes.toString('utf8'), encoding }
}

/** Returns the delimiter that occurs most often in the first line. */
function delimiterOf(head: string): keyof typeof delimiters {
  const [line = ''] = head.split('\n')
  const counts = Object.entries(delimiters).map(
    ([name, sign]) => [name as keyof typeof delimiters, line.split(sign).length] as const
  )
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/** Counts the rows that a value would give when its members are read: objects, or objects in lists. */
const rowsIn = (value: JsonValue): number =>
  isObject(value) || Array.isArray(value)
    ? Object.values(value as JsonObject).reduce<number>(
        (sum, member) => sum + (isObject(member) ? 1 : Array.isArray(member) ? member.filter(isObject).length : 0),
        0
      )
    : 0

/**
 * Returns the path, at most three names deep, of the value in a document that contains the most rows; of values with
 * as many, the innermost.
 */
function listIn(document: JsonValue, at: readonly string[] = []): Readonly<{ at: readonly string[]; rows: number }> {
  const own = { at, rows: rowsIn(document) }
  const inner =
    !isObject(document) || at.length === 3
      ? []
      : Object.entries(document).map(([name, member]) =>
          name.includes('.') ? own : listIn(member ?? null, [...at, name])
        )
  return inner.reduce((best, one) => (one.rows > 0 && one.rows >= best.rows ? one : best), own)
}

/** The most exports of a module that are looked at. */
const maxExports = 20

/**
 * Returns the ways to read a file: its members as rows, the members at the path that has the most rows, or the whole
 * file as one row.
 */
async function waysToRead({ folder, documentOf }: FolderReader, path: string): Promise<readonly FileOfSource[]> {
  const shape = (await shapeOfFile(folder, path)) ?? 'json'
  if (shape === 'sqlite' || shape === 'xlsx') {
    const tables = await tablesOfFile({ path: join(folder, path), declared: { shape, path } })
    return tables.map(table => ({ shape, path, ...(tables.length === 1 ? {} : { table }) }))
  }
  const { head, encoding } = await headOf(join(folder, path))
  const file: FileOfSource = { shape, path, ...(encoding === undefined ? {} : { encoding }) }
  if (shape === 'table') {
    const delimiter = delimiterOf(head)
    return [{ ...file, ...(delimiter === 'comma' ? {} : { delimiter }) }]
  }
  if (shape === 'json-lines') return [file]
  const exports = shape === 'literals' ? (await exportsOf(join(folder, path))).slice(0, maxExports) : []
  const files = exports.length > 1 ? exports.map(name => ({ ...file, export: name })) : [file]
  const ways: FileOfSource[] = []
  for (const one of files) {
    // Of a module with several exports some may be no literals.
    const document = await (exports.length > 1 ? documentOf(one, path).catch(() => null) : documentOf(one, path))
    const { at } = listIn(document)
    ways.push(one)
    if (at.length > 0 && shape !== 'yaml') ways.push({ ...one, at: at.join('.') })
    if (isObject(document)) ways.push({ ...one, single: true })
  }
  return ways
}

/**
 * Rows read from files in one way, with the card fields found in them; a higher `strength` means that they are more
 * likely cards.
 */
export type RowCandidate = Readonly<{ sample: Sample; found: FoundFields; strength: number }>

const maxAlike = 60
const maxLoops = 4

export async function candidateOf(
  looked: FolderReader,
  file: FileOfSource,
  paths: readonly string[],
  steps: RowSteps,
  most?: number
): Promise<RowCandidate> {
  const sample = await sampleOf(looked, file, paths, steps, most)
  return { sample, ...findFields(sample) }
}

/** Returns how likely the rows are cards: their `strength`, plus a smaller bonus that grows with the number of rows. */
export const weightOf = ({ sample: { texts, fields, paths, file }, strength }: RowCandidate): number =>
  fields.length < 2
    ? 0
    : strength + Math.log10(texts.length * Math.max(1, file.single === true ? 1 : paths.length / 8) + 1)

/** Returns the candidate with the higher weight; with equal weights, the one with more fields. */
export function better(one: RowCandidate | undefined, other: RowCandidate): RowCandidate {
  if (one === undefined) return other
  const more = weightOf(other) - weightOf(one)
  return more > 0 || (more === 0 && other.sample.fields.length > one.sample.fields.length) ? other : one
}

/**
 * Whether the innermost loop holds fields of a card or printing, and not those of its attacks or faces: an inner loop
 * turns a card into several printings only if it has more than names, or the outer loops have no name.
 */
function addsFields({ found: outer }: RowCandidate, { sample: { steps }, found }: RowCandidate): boolean {
  const { as = '' } = steps.at(-1) ?? {}
  const own = weighted.filter(field => found[field] === as || found[field]?.startsWith(`${as}.`) === true)
  return own.some(field => field !== 'name') || (own.length > 0 && outer.name === undefined)
}

/**
 * Adds loops over lists nested in the rows, one at a time, for as long as each raises the strength of the candidate.
 */
async function deepest(looked: FolderReader, start: RowCandidate): Promise<RowCandidate> {
  let best = start
  for (let loops = 1; loops < maxLoops; loops++) {
    const inner = await Promise.all(
      deeperSteps(best.sample).map(steps => candidateOf(looked, best.sample.file, best.sample.paths, steps))
    )
    const outer = best
    const next = inner
      .filter(one => one.sample.texts.length > 0 && addsFields(outer, one))
      .reduce<RowCandidate | undefined>(better, undefined)
    if (next === undefined || next.strength <= best.strength) return best
    best = next
  }
  return best
}

/**
 * Tries every way to read the given files, each with the nested loops that `deepest` adds, and returns the best
 * candidate.
 */
async function readBest(
  looked: FolderReader,
  paths: readonly string[],
  path: string
): Promise<RowCandidate | undefined> {
  let best: RowCandidate | undefined
  try {
    for (const way of await waysToRead(looked, paths[0] ?? '')) {
      const file = { ...way, path }
      const keyed = way.single !== true && !isOfRows(file)
      const start = await candidateOf(looked, file, paths, [
        outermostOf(keyed && (await hasNames(looked, way)) ? 'object' : 'list')
      ])
      const deep = await deepest(looked, start)
      // A document that is one row is one of few only where its cards are in a list within it.
      if (way.single !== true || paths.length > 2 || deep.sample.steps.length > 1) best = better(best, deep)
    }
    return best
  } catch (error) {
    // A file that cannot be parsed as the format that its extension names gives no candidate.
    looked.failed.push(error)
    return best
  }
}

/** Whether the top level of a document is an object with named members instead of a list. */
async function hasNames(looked: FolderReader, file: FileOfSource): Promise<boolean> {
  const { scopes } = await sampleOf(looked, file, [file.path], [{ as: 'card', key: 'card_key' }])
  return scopes.some(({ card_key: key }) => typeof key === 'string')
}

const nameOf = ({ sample }: RowCandidate): string => sample.file.path.split('/').at(-1) ?? ''

/**
 * Whether two candidates share most of their fields; of files with one name, such as those of two sets, most of the
 * fields that the poorer has. This keeps files of cards and files of sets apart.
 */
export function isAlike(first: RowCandidate, second: RowCandidate): boolean {
  const [{ fields: one }, { fields: other }] = [first.sample, second.sample]
  const paths = new Set(one.map(({ path }) => path))
  const compared = nameOf(first) === nameOf(second) && !nameOf(first).includes('*') ? Math.min : Math.max
  return other.filter(({ path }) => paths.has(path)).length * 2 > compared(paths.size, other.length)
}

/** Whether most fields of `other` are also in `one`. */
export const knows = ({ sample: { fields: one } }: RowCandidate, { sample: { fields } }: RowCandidate): boolean =>
  fields.filter(({ path }) => one.some(field => field.path === path)).length * 2 > fields.length

/** What kind of cards a file holds by its name, such as `item` where a table of items is called `item_cards`. */
const kindOf = (path: string): string | undefined => {
  const kind = /(?:^|\/)([a-z]+)[_-]cards?\.[^/]*$/i.exec(path)?.[1]
  return kind === undefined || languageTag(kind) !== undefined ? undefined : kind
}

/** Whether two files hold cards of two kinds by their names, of which each has a name, and a number where one has. */
const areKinds = ({ sample: one, found }: RowCandidate, { sample: other, found: theirs }: RowCandidate): boolean =>
  kindOf(one.paths[0] ?? '') !== undefined &&
  kindOf(other.paths[0] ?? '') !== undefined &&
  found.name !== undefined &&
  theirs.name === found.name &&
  theirs.number === found.number

/**
 * Whether `other` repeats rows of `one` with less detail: of the fields that are unique for each row in `one`, and of
 * the names, at least 80 % of the values in `other` are also in `one`.
 */
function tellsAgain({ sample: one, found }: RowCandidate, { sample: other }: RowCandidate): boolean {
  const valuesOf = ({ texts }: Sample, path: string): readonly string[] => texts.flatMap(row => row.get(path) ?? [])
  const keys = one.fields
    .filter(({ distinct, rows }) => rows > 1 && distinct === rows)
    .map(({ path }) => path)
    .filter(path => other.fields.some(field => field.path === path))
  return (
    found.name !== undefined &&
    keys.some(path => path !== found.name) &&
    [...keys, found.name].every(path => {
      const known = new Set(valuesOf(one, path))
      const values = valuesOf(other, path)
      return values.filter(value => known.has(value)).length >= values.length * 0.8
    })
  )
}

/**
 * Returns the best candidate among the files of one folder (one file, or all files with the same fields read together,
 * with the other files in `except`), and the candidates of the single files.
 */
export async function bestOfGroup(
  looked: FolderReader,
  pattern: string,
  paths: readonly string[]
): Promise<Readonly<{ best: RowCandidate | undefined; singles: readonly RowCandidate[] }>> {
  const some = paths.slice(0, maxAlike)
  const singles = (await Promise.all(some.map(path => readBest(looked, [path], path)))).filter(one => one !== undefined)
  const whole = paths.length < 3 ? undefined : await readBest(looked, paths, pattern)
  const best = [...singles, ...(whole?.sample.file.single === true ? [whole] : [])].reduce<RowCandidate | undefined>(
    better,
    undefined
  )
  if (best === undefined || best === whole || paths.length === 1) return { best, singles }
  const { file, steps } = best.sample
  const isOneOfThem = async (path: string): Promise<boolean> => {
    const other = await candidateOf(looked, { ...file, path }, [path], steps).catch(() => best)
    return (
      (isAlike(best, other) || areKinds(best, other)) && (best.sample.paths[0] === path || !tellsAgain(best, other))
    )
  }
  const same = await Promise.all(some.map(async path => ({ path, isSame: await isOneOfThem(path) })))
  const others = same.filter(({ isSame }) => !isSame).map(({ path }) => path)
  const alike = paths.filter(path => !others.includes(path))
  if (alike.length < 2 || others.length > alike.length) return { best, singles }
  const together = await candidateOf(
    looked,
    { ...file, path: pattern, ...(others.length === 0 ? {} : { except: others }) },
    alike,
    steps
  )
  return { best: together, singles }
}
