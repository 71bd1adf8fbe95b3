import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { cut, jsonMembers, needsPiece, NoMembers, parseStrictJson, type Cutter, type JsonValue } from 'pantry/data'
import { FileProblem } from '../data-error.ts'
import type { FileOfSource } from '../source.ts'
import { utf8Of, type FoundFile } from './files.ts'
import { rowsOfFile } from './row-files.ts'
import { compilePath } from './expression.ts'
import { tableRows } from './table-rows.ts'

export type Member = Readonly<{
  key: string | number
  value: JsonValue
  /** A message that says what is wrong with the value, such as a malformed line. */
  problem?: string | undefined
}>

/** Some members of a document. `fraction`: how much of the file or of its members has been passed on (0 to 1). */
type Members = Readonly<{ members: readonly Member[]; fraction: number }>

type Shape = Readonly<{
  /** Optional fields of a file declaration that this shape supports, in addition to those of every shape. */
  fields: readonly ('at' | 'single' | 'delimiter' | 'encoding' | 'quotes' | 'export' | 'lists' | 'table')[]
  /** The format named in the message `… is not JSON.` when a file cannot be parsed. */
  language: string
  whole: (found: FoundFile) => Promise<JsonValue>
  /** Reads the members as a stream, where the format allows it, so that the file need not fit into memory. */
  stream?: (found: FoundFile) => AsyncGenerator<Members>
}>

/** Decodes chunks of UTF-8 bytes to text. Throws when they are not valid UTF-8. */
async function* textOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of pieces) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

/** Yields the members that `cutInto` parses from the bytes of a file, with the fraction of the file read so far. */
async function* streamed(
  { path, declared: { encoding } }: FoundFile,
  cutInto: (pieces: AsyncGenerator<Buffer>) => AsyncGenerator<readonly Member[]>
): AsyncGenerator<Members> {
  const { size } = await stat(path)
  let bytes = 0
  for await (const members of cutInto(
    utf8Of(path, encoding, length => {
      bytes += length
    })
  ))
    yield { members, fraction: Math.min(bytes / size, 1) }
}

async function readText({ path, declared }: FoundFile): Promise<string> {
  let text = ''
  for await (const piece of textOf(utf8Of(path, declared.encoding))) text += piece
  return text
}

const readJson = async (found: FoundFile): Promise<JsonValue> => JSON.parse(await readText(found)) as JsonValue

// The parsers are imported only when a file needs them, because checking declarations does not.
async function readYaml(found: FoundFile): Promise<JsonValue> {
  const { default: yaml } = await import('yaml')
  const values = [...yaml.parseAllDocuments(await readText(found), { logLevel: 'error' })].map(document => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJS({ maxAliasCount: 100 }) as JsonValue
  })
  return values.length > 1 ? values.filter(value => value !== null) : (values[0] ?? null)
}

/** Returns the values in the lines of a text, by the number of the line; blank lines have none. */
function* jsonLines(): Cutter<string, Member> {
  let line = 0
  let rest = ''
  const memberOf = (text: string): Member[] => {
    line++
    if (text.trim() === '') return []
    try {
      return [{ key: line, value: JSON.parse(text) as JsonValue }]
    } catch {
      return [{ key: line, value: null, problem: `Line ${line} is not JSON.` }]
    }
  }
  for (let piece = yield needsPiece; piece !== undefined; piece = yield needsPiece) {
    // Only the piece is searched: a file may be one line.
    const [first = '', ...others] = piece.split('\n')
    const lines = [rest + first, ...others]
    rest = lines.pop() ?? ''
    for (const text of lines) yield* memberOf(text)
  }
  yield* memberOf(rest)
}

async function readXml(found: FoundFile): Promise<JsonValue> {
  const { membersOf, xmlDocument } = await import('./xml-document.ts')
  return membersOf(xmlDocument(await readText(found), found.declared.lists), found.declared.at)
}

async function readLiterals(found: FoundFile): Promise<JsonValue> {
  const { literalsOf } = await import('./literals.ts')
  const value = await literalsOf(found, await readText(found))
  return found.declared.at === undefined ? value : compilePath(`value.${found.declared.at}`)({ value })
}

/**
 * Loads a module and returns its exported value. The module is then removed from the module cache, which would keep the
 * value in memory for the life of the process.
 */
function readModule({ path, declared }: FoundFile): JsonValue {
  const require = createRequire(path)
  try {
    return (require(path) as Record<string, JsonValue>)[declared.export ?? 'default'] ?? null
  } catch (error) {
    throw new FileProblem(
      `${path} cannot be loaded as a module: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`
    )
  } finally {
    Reflect.deleteProperty(require.cache, require.resolve(path))
  }
}

async function* jsonStream(pieces: AsyncGenerator<Buffer>, at: string | undefined): AsyncGenerator<readonly Member[]> {
  for await (const found of cut(pieces, jsonMembers(at?.split('.'))))
    yield found.map(([key, value]) => ({ key, value }))
}

/** Field delimiters of a table, by name. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const satisfies Readonly<
  Record<NonNullable<FileOfSource['delimiter']>, string>
>

async function* tableStream(
  pieces: AsyncGenerator<Buffer>,
  { delimiter = 'comma', quotes = true }: FoundFile['declared']
): AsyncGenerator<readonly Member[]> {
  let key = 0
  const dialect = { delimiter: delimiters[delimiter], quotes }
  for await (const found of cut(textOf(pieces), tableRows(dialect)))
    yield found.map(({ row, problem }) => ({ key: key++, value: row, problem }))
}

async function* rowStream(found: FoundFile): AsyncGenerator<Members> {
  for await (const members of rowsOfFile(found)) yield { members, fraction: 0 }
}

async function wholeFile(found: FoundFile): Promise<JsonValue> {
  const all: JsonValue[] = []
  for await (const members of rowsOfFile(found))
    all.push(...members.flatMap(({ value, problem }) => (problem === undefined ? [value] : [])))
  return all
}

/** How files of each shape are read. To support a new shape, add an entry here. */
export const shapes = {
  json: {
    fields: ['at', 'encoding', 'single'],
    language: 'JSON',
    whole: readJson,
    stream: found => streamed(found, pieces => jsonStream(pieces, found.declared.at))
  },
  'json-lines': {
    fields: ['encoding'],
    language: 'JSON',
    whole: readJson,
    stream: found => streamed(found, pieces => cut(textOf(pieces), jsonLines()))
  },
  yaml: { fields: ['encoding', 'single'], language: 'YAML', whole: readYaml },
  xml: { fields: ['at', 'encoding', 'single', 'lists'], language: 'XML', whole: readXml },
  table: {
    fields: ['delimiter', 'encoding', 'quotes'],
    language: 'JSON',
    whole: readJson,
    stream: found => streamed(found, pieces => tableStream(pieces, found.declared))
  },
  module: { fields: ['export'], language: 'JSON', whole: found => Promise.resolve(readModule(found)) },
  literals: { fields: ['at', 'encoding', 'export', 'single'], language: 'TypeScript', whole: readLiterals },
  sqlite: { fields: ['table'], language: 'SQLite', whole: wholeFile, stream: rowStream },
  xlsx: { fields: ['table'], language: 'XLSX', whole: wholeFile, stream: rowStream }
} as const satisfies Readonly<Record<FileOfSource['shape'], Shape>>

export const shapeOf = ({ declared }: FoundFile): Shape => shapes[declared.shape]

/** The number of members that are yielded together for a document that was read whole. */
const partSize = 100

function* inParts(document: JsonValue): Generator<Members> {
  const all = document === null || typeof document !== 'object' ? [] : Object.entries(document)
  for (let from = 0; from < all.length; from += partSize) {
    const part = all.slice(from, from + partSize)
    yield { members: part.map(([key, value]) => ({ key, value })), fraction: (from + part.length) / all.length }
  }
}

/** Returns where a text ends, as line and column from 1. */
function placeAt(text: string): string {
  const lines = text.split('\n')
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`
}

/** Returns where a file is broken, as text for a message; empty where the parser cannot say it. */
async function brokenAt(found: FoundFile, error: Error): Promise<string> {
  if ('linePos' in error) {
    const [place] = (error.linePos ?? []) as readonly Readonly<{ line: number; col: number }>[]
    return place === undefined ? '' : ` (line ${place.line}, column ${place.col})`
  }
  if (found.declared.shape !== 'json') return ''
  const bytes = Buffer.from(await readText(found))
  const read = parseStrictJson(bytes, { maxDepth: 1000 })
  return read.ok ? '' : placeAt(bytes.subarray(0, read.offset).toString())
}

/**
 * Yields the members of the document, or the document itself as one member if it is declared `single`. Error messages
 * name the file.
 */
export async function* readMembers(found: FoundFile): AsyncGenerator<Members> {
  const { single = false } = found.declared
  const { language, whole, stream } = shapeOf(found)
  try {
    if (single) yield { members: [{ key: 0, value: await whole(found) }], fraction: 1 }
    else if (stream !== undefined) yield* stream(found)
    else yield* inParts(await whole(found))
  } catch (error) {
    // The parser's message quotes the text near the mistake, which may be a value that must not be shown. For YAML, too
    // many aliases and too deep nesting throw errors of other classes.
    if (
      error instanceof SyntaxError ||
      (error instanceof Error && error.name === 'YAMLParseError') ||
      error instanceof ReferenceError ||
      error instanceof RangeError
    )
      throw new SyntaxError(`${found.path} is not ${language}${await brokenAt(found, error).catch(() => '')}.`)
    if (error instanceof NoMembers) throw new FileProblem(`${found.path}: ${error.message}`)
    if (error instanceof Error && !error.message.includes(found.path)) error.message = `${found.path}: ${error.message}`
    throw error
  }
}
