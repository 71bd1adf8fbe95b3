import { readdir } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { stringify } from 'yaml'
import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import type { FoundFile } from './find-files.ts'
import { readMembers } from './read-members.ts'
import { shapeOf } from './shapes.ts'
import type { SourceFile } from './source.ts'
import { withheldByForm, withheldByName } from './withheld.ts'

/** A field of the rows of an unknown folder: how many rows have it, how many different values there are, and one of them. */
type FieldSeen = Readonly<{ path: string, filled: number, distinct: number, rows: number, example: string }>
type Proposal = Readonly<{ file: SourceFile, rows: number, fields: readonly FieldSeen[], map: JsonObject }>

const shapeOfEnding: Readonly<Record<string, SourceFile['shape']>> = { '.json': 'json', '.yaml': 'yaml', '.yml': 'yaml', '.xml': 'xml', '.csv': 'table', '.tsv': 'table', '.txt': 'table' }
const noData = /^(?:package(?:-lock)?|tsconfig|composer)\.json$/
const mostFiles = 5
const mostRows = 2000

/** Files that may hold rows, those of one folder and ending together. */
async function groupsOf (folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, string[]>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isFile() || noData.test(entry.name) || shapeOfEnding[extname(path)] === undefined || path.split(sep).some(name => name.startsWith('.') || name === 'node_modules')) continue
    const key = [...path.split(sep).slice(0, -1), `*${extname(path)}`].join('/')
    groups.set(key, [...groups.get(key) ?? [], path])
  }
  return groups
}

/** Where in a document the most objects are together, as names joined by points; no more than two deep. */
function listIn (document: JsonValue, at: readonly string[] = []): Readonly<{ at: readonly string[], rows: number }> {
  if (!isObject(document) && !Array.isArray(document)) return { at, rows: 0 }
  const members = Object.entries(document as JsonObject)
  const own = { at, rows: members.filter(([, member]) => isObject(member)).length }
  const inner = Array.isArray(document) || at.length === 2 ? [] : members.map(([name, member]) => listIn(member, [...at, name]))
  return [own, ...inner].reduce((best, one) => one.rows > best.rows ? one : best)
}

async function declarationOf (folder: string, pattern: string, paths: readonly string[]): Promise<SourceFile> {
  const [first = ''] = [...paths].sort()
  const shape = shapeOfEnding[extname(first)] ?? 'json'
  const file: SourceFile = { shape, path: paths.length > 1 ? pattern : first.split(sep).join('/') }
  const found: FoundFile = { path: join(folder, first), declared: file, file: {} }
  if (shape === 'table') {
    for await (const { members: [member] } of readMembers(found)) if (isObject(member?.value)) return Object.keys(member.value).length > 1 ? file : { ...file, delimiter: 'tab' }
    return file
  }
  const { at } = listIn(await shapeOf(found).whole(found))
  return at.length === 0 || shape === 'yaml' ? file : { ...file, at: at.join('.') }
}

/** Scalars of a row and of the objects in it, and lists of scalars, by their paths. */
function * scalarsOf (value: JsonValue, path: string): Generator<readonly [string, string]> {
  if (isObject(value)) for (const [name, member] of Object.entries(value)) if (!name.includes('.')) yield * scalarsOf(member ?? null, `${path}.${name}`)
  if (Array.isArray(value) && value.every(member => typeof member === 'string')) yield [path, value.join(', ')]
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') yield [path, String(value)]
}

async function fieldsOf (folder: string, file: SourceFile, paths: readonly string[]): Promise<Readonly<{ rows: number, fields: readonly FieldSeen[] }>> {
  const seen = new Map<string, { filled: number, values: Set<string> }>()
  let rows = 0
  for (const path of [...paths].sort().slice(0, mostFiles)) {
    for await (const { members } of readMembers({ path: join(folder, path), declared: file, file: {} })) {
      for (const { value } of members.slice(0, Math.max(0, mostRows - rows))) {
        rows++
        for (const [name, text] of scalarsOf(value, 'card')) {
          if (text.trim() === '' || withheldByForm(text) !== undefined || name.split('.').slice(1).some(word => withheldByName(word) !== undefined)) continue
          const field = seen.get(name) ?? { filled: 0, values: new Set<string>() }
          seen.set(name, field)
          field.filled++
          field.values.add(text)
        }
      }
    }
  }
  return { rows, fields: [...seen].map(([path, { filled, values }]) => ({ path, filled, distinct: values.size, rows, example: [...values][0] ?? '' })) }
}

/** Last names of fields, by what they usually hold, the likeliest first. */
const usual: readonly (readonly [field: string, names: RegExp])[] = [
  ['set_code', /^(?:set_?code|set_?id|set|pack_?code|expansion|edition|series)$/i],
  ['number', /^(?:collector_?number|card_?number|card_?no|number|no|num|nr|position|code)$/i],
  ['name', /^(?:name|title|card_?name|card_?title)$/i],
  ['rarity', /^rarity$/i],
  ['illustrators', /^(?:artists?|illustrators?)$/i]
]
const lastOf = (path: string): string => path.split('.').at(-1) ?? ''
const depthOf = (path: string): number => path.split('.').length

/** What a map may be: a unique field as the native id, and others by their names. */
function mapOf (fields: readonly FieldSeen[], game: string, language: string): JsonObject {
  const unique = fields.filter(({ filled, distinct, rows }) => filled === rows && distinct === rows)
  const native = (unique.find(({ path }) => /^(?:id|uuid|_id|key|code)$/i.test(lastOf(path))) ?? unique[0])?.path
  const found = new Map(usual.map(([field, names]) => [field, [...fields].sort((a, b) => depthOf(a.path) - depthOf(b.path) || b.filled - a.filled).find(({ path }) => names.test(lastOf(path)))?.path]))
  const number = found.get('number') ?? native ?? 'card.number'
  const set = found.get('set_code') ?? 'file.name'
  const others = ['name', 'rarity', 'illustrators'].flatMap(field => found.get(field) === undefined ? [] : [[field, found.get(field) ?? '']])
  return { native_id: native ?? { join: [set, number], with: '/' }, game: { const: game }, set_code: set, number, ...Object.fromEntries(others) as JsonObject, lang: { const: language } }
}

async function proposalOf (folder: string, pattern: string, paths: readonly string[], game: string, language: string): Promise<Proposal | undefined> {
  try {
    const file = await declarationOf(folder, pattern, paths)
    const { rows, fields } = await fieldsOf(folder, file, paths)
    return rows === 0 || fields.length < 2 ? undefined : { file, rows: rows * Math.max(1, paths.length / mostFiles), fields, map: mapOf(fields, game, language) }
  } catch {
    // A file that cannot be read as what its ending says is not one that is looked for.
    return undefined
  }
}

/** Whether most fields of one are fields of the other: files of cards are not files of sets. */
function isAlike (one: Proposal, other: Proposal): boolean {
  const paths = new Set(one.fields.map(({ path }) => path))
  return other.fields.filter(({ path }) => paths.has(path)).length * 2 > Math.max(paths.size, other.fields.length)
}

/** Looks at a folder of unknown files, and proposes how its rows are read: of the files that have the most. `undefined` when none has rows. */
export async function proposeSource (folder: string, game: string, language: string): Promise<Proposal | undefined> {
  let best: Proposal | undefined
  for (const [pattern, paths] of await groupsOf(folder)) {
    const singles = (await Promise.all(paths.slice(0, mostFiles).map(path => proposalOf(folder, path, [path], game, language)))).filter(one => one !== undefined)
    const [first] = singles
    const areAlike = first !== undefined && paths.length > 1 && singles.every(one => isAlike(first, one) && one.file.at === first.file.at)
    const whole = areAlike ? await proposalOf(folder, pattern, paths, game, language) : undefined
    for (const one of [...singles, ...(whole === undefined ? [] : [whole])]) if (one.rows > (best?.rows ?? 0)) best = one
  }
  return best
}

/** An entry of a corpus as its file has it. */
export const entryText = (entry: object): string => stringify(entry, { lineWidth: 0, singleQuote: true })
