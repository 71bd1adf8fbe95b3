import { join } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import { compileLoops, compilePath, loopNames, within, type ExpressionScope } from '../reading/expression.ts'
import { nameOfFile } from '../reading/files.ts'
import { readMembers, shapeOf, type Member } from '../reading/shapes.ts'
import { languageTag } from '../languages.ts'
import type { RowStep, FileOfSource } from '../source.ts'
import { withheldByForm, withheldByName } from '../withheld.ts'

/** A field of the rows: how many of the rows have it, how many distinct values it has, and one example value. */
export type FieldSeen = Readonly<{ path: string; filled: number; distinct: number; rows: number; example: string }>
export type RowSteps = readonly [RowStep, ...RowStep[]]
/** The rows read from some files as a sample: the text values of each row by path, and the loop values as scopes. */
export type Sample = Readonly<{
  file: FileOfSource
  paths: readonly string[]
  steps: RowSteps
  fields: readonly FieldSeen[]
  texts: readonly ReadonlyMap<string, string>[]
  scopes: readonly ExpressionScope[]
}>

/**
 * The folder being examined, with functions that read documents and first members of its files and keep the results.
 */
export type FolderReader = Readonly<{
  folder: string
  documentOf: (file: FileOfSource, path: string) => Promise<JsonValue>
  membersOf: (file: FileOfSource, path: string) => Promise<readonly Member[]>
  /** Why files could not be read. */
  failed: unknown[]
}>

/** Whether a file has rows, and is no document that has them somewhere. */
export const isOfRows = ({ shape }: FileOfSource): boolean =>
  shape === 'table' || shape === 'json-lines' || shape === 'sqlite' || shape === 'xlsx'

/** The number of sample rows read while ways to read are compared (`first`), and for the final choice (`last`). */
export const rowsLooked = { first: 400, last: 4000 }
const maxRows = rowsLooked.last

export function createFolderReader(folder: string): FolderReader {
  const read = new Map<string, Promise<readonly Member[]>>()
  const documents = new Map<string, Promise<JsonValue>>()
  const documentOf = (declared: FileOfSource, path: string): Promise<JsonValue> => {
    const key = JSON.stringify([path, declared.export])
    const document =
      documents.get(key) ??
      shapeOf({ path, declared, file: {} }).whole({
        path: join(folder, path),
        declared: {
          shape: declared.shape,
          path,
          ...(declared.encoding === undefined ? {} : { encoding: declared.encoding }),
          ...(declared.export === undefined ? {} : { export: declared.export })
        },
        file: {},
        folder
      })
    documents.set(key, document)
    return document
  }
  const firstMembers = async (declared: FileOfSource, path: string): Promise<readonly Member[]> => {
    if (!isOfRows(declared)) {
      const document = await documentOf(declared, path)
      if (declared.single === true) return [{ key: 0, value: document }]
      const list = declared.at === undefined ? document : compilePath(`document.${declared.at}`)({ document })
      return isObject(list) || Array.isArray(list)
        ? Object.entries(list as JsonObject)
            .slice(0, maxRows)
            .map(([key, value]) => ({ key: isObject(list) ? key : Number(key), value: value ?? null }))
        : []
    }
    const found: Member[] = []
    for await (const { members } of readMembers({ path: join(folder, path), declared, file: {} })) {
      found.push(...members)
      if (found.length >= maxRows) break
    }
    return found.slice(0, maxRows)
  }
  return {
    folder,
    failed: [],
    documentOf,
    membersOf(file, path) {
      const key = JSON.stringify([path, file.at, file.single, file.export, file.table])
      const members = read.get(key) ?? firstMembers({ ...file, path }, path)
      read.set(key, members)
      return members
    }
  }
}

const maxFiles = { ofOne: 400, ofList: 40 }
const minRows = 20

const areLanguages = (value: JsonObject): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every(key => languageTag(key) !== undefined && key.length <= 5)

/**
 * Yields the scalars and lists of strings within a value, each with its path. Skips values that are looped over and
 * values that may not be stored.
 */
function* scalarsOf(value: JsonValue, path: string, looped: ReadonlySet<string>): Generator<readonly [string, string]> {
  if (looped.has(path)) return
  if (isObject(value))
    for (const [name, member] of Object.entries(value))
      if (!name.includes('.') && withheldByName(name) === undefined)
        yield* scalarsOf(member ?? null, `${path}.${name}`, looped)
  const text =
    Array.isArray(value) && value.every(member => typeof member === 'string')
      ? value.join(', ')
      : typeof value === 'object'
        ? ''
        : String(value)
  if (text.trim() !== '' && withheldByForm(text) === undefined) yield [path, text]
}

/** Reads the first rows of some files as a sample. */
export async function sampleOf(
  { membersOf }: FolderReader,
  file: FileOfSource,
  paths: readonly string[],
  steps: RowSteps,
  most = rowsLooked.first
): Promise<Sample> {
  const [outermost, ...inner] = steps
  const loops = compileLoops(inner)
  const looped = new Set(inner.map(({ each }) => String(each)))
  const scopes: ExpressionScope[] = []
  const looked = paths.slice(0, file.single === true ? maxFiles.ofOne : maxFiles.ofList)
  const share = Math.max(minRows, Math.ceil(most / looked.length))
  for (const path of looked) {
    const end = scopes.length + share
    const members = await membersOf(file, path)
    // The number of rows taken per member is limited, so that the sample covers several members.
    const mostOfOne = Math.max(minRows, Math.ceil(share / members.length))
    for (const { key, value, problem } of members) {
      if (scopes.length >= end) break
      if (problem === undefined)
        scopes.push(
          ...[...loops(within({ file: { name: nameOfFile(path) } }, outermost, key, value))].slice(
            0,
            Math.min(mostOfOne, end - scopes.length)
          )
        )
    }
  }
  const names = [...loopNames(steps), ...(paths.length > 1 ? ['file'] : [])]
  const texts = scopes.map(scope => new Map(names.flatMap(name => [...scalarsOf(scope[name] ?? null, name, looped)])))
  const seen = new Map<string, Set<string>>()
  const filled = new Map<string, number>()
  for (const row of texts) {
    for (const [path, text] of row) {
      seen.set(path, (seen.get(path) ?? new Set()).add(text))
      filled.set(path, (filled.get(path) ?? 0) + 1)
    }
  }
  const fields = [...seen].map(([path, values]) => ({
    path,
    filled: filled.get(path) ?? 0,
    distinct: values.size,
    rows: texts.length,
    example: [...values][0] ?? ''
  }))
  return { file, paths, steps, fields, texts, scopes }
}

const singular = (name: string): string => {
  const word = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return word === 'series' || word === '' ? word || 'member' : word.replace(/ies$/, 'y').replace(/s$/, '')
}

/** The step that loops over the members of a document; for an object it also names the variable that holds the key. */
export const outermostOf = (scopes: 'list' | 'object', as = 'card'): RowStep =>
  scopes === 'list' ? { as } : { as, key: `${as}_key` }

type Inner = Readonly<{ path: string; isByLanguage: boolean }>

/**
 * Returns the paths of lists of objects, and of objects keyed by language, that at least half of the rows have; the row
 * itself may be such a list.
 */
function innerOf({ scopes, steps }: Sample): readonly Inner[] {
  const found = new Map<string, { rows: number; isByLanguage: boolean }>()
  const looped = new Set(steps.map(({ each }) => String(each)))
  const look = (value: JsonValue, path: string, depth: number): void => {
    if (looped.has(path)) return
    const isByLanguage =
      isObject(value) && depth > 0 && areLanguages(value) && Object.values(value).every(one => isObject(one ?? null))
    if (isByLanguage || (Array.isArray(value) && value.length > 0 && value.every(isObject)))
      found.set(path, { rows: (found.get(path)?.rows ?? 0) + 1, isByLanguage })
    else if (isObject(value) && depth < 2)
      for (const [name, member] of Object.entries(value))
        if (!name.includes('.') && withheldByName(name) === undefined)
          look(member ?? null, `${path}.${name}`, depth + 1)
  }
  const looked = scopes.slice(0, 200)
  for (const scope of looked) for (const { as } of steps) look(scope[as] ?? null, as, 0)
  return [...found]
    .filter(([, { rows }]) => rows * 2 >= looked.length)
    .map(([path, { isByLanguage }]) => ({ path, isByLanguage }))
}

/**
 * Returns the loops of the sample with one more loop inside, one variant for each nested list. If the nested list holds
 * the cards, the outermost loop is renamed from `card` to `set`.
 */
export function deeperSteps(sample: Sample): readonly RowSteps[] {
  return innerOf(sample).map(({ path, isByLanguage }): RowSteps => {
    const last = path.split('.').at(-1) ?? ''
    const [outermost, ...others] = sample.steps
    const holdsCards = path === 'card' || singular(last) === 'card'
    const outer = others.some(({ as }) => as === 'set') ? 'release' : 'set'
    const rename = (given: string): string => (holdsCards ? given.replace(/^card(?=\.|$)/, outer) : given)
    const first = holdsCards
      ? outermostOf(outermost.key === undefined ? 'list' : 'object', rename(outermost.as))
      : outermost
    const taken = new Set(['file', ...sample.steps.map(({ as }) => rename(as))])
    const wanted = isByLanguage ? 'text' : holdsCards ? 'card' : singular(last)
    const as = taken.has(wanted) ? `${wanted}_${sample.steps.length + 1}`.replace(/[0-9]/, 'inner') : wanted
    const inner = others.map(step => ({ ...step, each: rename(String(step.each)) }))
    return [first, ...inner, { as, ...(isByLanguage ? { key: 'lang' } : {}), each: rename(path) }]
  })
}
