import { createReadStream, existsSync, statSync, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { EntryProblem, JsonObject } from 'pantry/data'
import { FileProblem } from '../data-error.ts'
import type { FileOfSource, SourceReader, StatedEncoding } from '../source.ts'
import type { Uses } from './uses.ts'

/**
 * A file that exists, its declaration, the object that expressions read as `file`, and the folder beyond which nothing
 * is read for it; by default its own.
 */
export type FoundFile = Readonly<{ path: string; declared: FileOfSource; file: JsonObject; folder?: string }>

/** Returns the folder of an installed package, resolved as for a module at `from` (a file path or URL). */
export function packageFolder(name: string, from: string): string {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')
      throw new FileProblem(`The package \`${name}\` is not installed.`)
    throw error
  }
}

const isPattern = (part: string): boolean => /[*{]/.test(part)

/**
 * Turns a path segment with `*` or `{word}` into a regular expression for one name, where each word is a named group.
 * Names that start with a dot do not match, as they are hidden.
 */
const namePattern = (part: string): RegExp =>
  new RegExp(
    `^(?!\\.)${part
      .split(/(\*|\{[a-z_]+\})/)
      .map(text =>
        text === '*'
          ? '[^/]*'
          : text.startsWith('{')
            ? `(?<${text.slice(1, -1)}>[^/]+?)`
            : text.replace(/[^\w]/g, '\\$&')
      )
      .join('')}$`
  )

/**
 * Whether an entry is a folder. Symbolic links are followed, because a copy of an upstream may consist of them. A
 * broken link counts as a file, so that reading it reports the error.
 */
const isFolder = (folder: string, entry: Dirent): boolean =>
  entry.isSymbolicLink()
    ? (statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false)
    : entry.isDirectory()

/** Whether a path exists and is neither a file nor a folder: reading a pipe or device might never end. */
function isOther(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

type Place = Readonly<{ path: string; words: JsonObject }>

async function expand(place: Place, parts: readonly string[]): Promise<Place[]> {
  const [part, ...rest] = parts
  const { path: folder, words } = place
  if (part === undefined) return [place]
  if (!isPattern(part)) return expand({ path: join(folder, part), words }, rest)
  const pattern = namePattern(part)
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const found = entries.flatMap(entry => {
    const match = pattern.exec(entry.name)
    return match !== null && isFolder(folder, entry) === rest.length > 0
      ? [{ path: join(folder, entry.name), words: { ...words, ...match.groups } }]
      : []
  })
  return (await Promise.all(found.map(one => expand(one, rest))))
    .flat()
    .filter(({ path }) => rest.length === 0 || existsSync(path))
}

/** Returns the `except` patterns of the declaration that match a path relative to the folder. */
const exceptOf = (path: string, except: readonly string[]): readonly string[] =>
  except.filter(one => {
    const [parts, names] = [one.split('/'), path.split(sep)]
    return parts.length === names.length && parts.every((part, index) => namePattern(part).test(names[index] ?? ''))
  })

/** Returns the file name up to its first dot, which expressions read as `file.name`. */
export const nameOfFile = (path: string): string => basename(path).replace(/\..*$/, '')

/**
 * Returns the files that a declaration names, folder by folder, sorted by name. Throws when a pattern matches none, or
 * a path is neither a file nor a folder; a missing file without a pattern is reported only when it is read. `uses`
 * remembers which paths of `except` left out a file.
 */
export async function findFiles(folder: string, declared: FileOfSource, uses?: Uses): Promise<readonly FoundFile[]> {
  const base = declared.package === undefined ? folder : packageFolder(declared.package, join(folder, 'package.json'))
  const places = (await expand({ path: base, words: {} }, declared.path.split('/'))).filter(({ path }) => {
    const except = exceptOf(relative(base, path), declared.except ?? [])
    for (const one of except) uses?.see(declared, 'except', one)
    if (declared.except !== undefined) uses?.see(declared, 'except', undefined)
    return except.length === 0
  })
  if (places.length === 0) throw new FileProblem(`No file in the folder of the source is called \`${declared.path}\`.`)
  const other = places.find(({ path }) => isOther(path))
  if (other !== undefined) throw new FileProblem(`\`${relative(base, other.path)}\` is no regular file.`)
  return places.map(({ path, words }) => ({
    path,
    declared,
    folder: base,
    file: { name: nameOfFile(path), ...words, ...declared.set }
  }))
}

/** A declared file and the JSON pointer to it in the source's entry. */
export type DeclaredFile = Readonly<{ declared: FileOfSource; pointer: EntryProblem['pointer'] }>

export const placed = (files: readonly FileOfSource[], ...pointer: EntryProblem['pointer']): readonly DeclaredFile[] =>
  files.map((declared, index) => ({ declared, pointer: [...pointer, index] }))

/** Returns all files that a reader declares: for its rows, its tables and its sets. */
export const filesOf = (reader: SourceReader): readonly DeclaredFile[] => [
  ...placed(reader.files, 'reader', 'files'),
  ...Object.entries(reader.tables ?? {}).map(([name, { file }]) => ({
    declared: file,
    pointer: ['reader', 'tables', name, 'file']
  })),
  ...placed(reader.sets?.files ?? [], 'reader', 'sets', 'files')
]

const utf8Bom = Buffer.from('\ufeff')
/**
 * The characters of Windows-1252 at 0x80 to 0x9F (WHATWG Encoding §9). A table is needed because `TextDecoder` of Node
 * 20 decodes these bytes as the control characters of ISO 8859-1.
 */
export const beyondLatin = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

/** Decodes one chunk of bytes; without an argument, returns what is left in the decoder. */
type Decode = (bytes?: Buffer) => string

const decodeWindows: Decode = (bytes = Buffer.alloc(0)) =>
  bytes.toString('latin1').replace(/[\u0080-\u009F]/g, sign => beyondLatin.charAt(sign.charCodeAt(0) - 0x80))

/**
 * Returns the decoder for a file, chosen by its byte order mark or the stated encoding; `undefined` when it is UTF-8.
 */
export function decoderOf(first: Buffer, encoding: StatedEncoding | undefined): Decode | undefined {
  const mark = first.subarray(0, 2).toString('hex')
  if (mark === 'fffe' || mark === 'feff') {
    const decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be', { fatal: true })
    return bytes => decoder.decode(bytes, { stream: bytes !== undefined })
  }
  return encoding === undefined ? undefined : decodeWindows
}

/** Whether a file begins as gzip does (RFC 1952 §2.3.1). */
async function isCompressed(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2)
    return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b
  } finally {
    await file.close()
  }
}

/**
 * Reads the bytes of a file, or of what gzip compressed in it. Calls `read` for each chunk of the file with its number
 * of bytes. Throws a FileProblem where the compressed part is damaged or ends early.
 */
export async function* bytesOf(path: string, read: (bytes: number) => void = () => undefined): AsyncGenerator<Buffer> {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
      read(bytes.length)
      yield bytes
    }
  }
  if (!(await isCompressed(path))) {
    yield* counted()
    return
  }
  try {
    yield* pipeline(counted, createGunzip(), () => undefined) as AsyncIterable<Buffer>
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new FileProblem(`${path} is not whole: what gzip compressed in it is damaged or ends early.`)
    throw error
  }
}

/**
 * Reads a file as chunks of UTF-8 without byte order mark. Calls `read` for each chunk of the file with its number of
 * bytes.
 */
export async function* utf8Of(
  path: string,
  encoding: StatedEncoding | undefined,
  read: (bytes: number) => void = () => undefined
): AsyncGenerator<Buffer> {
  let isFirst = true
  let decode: Decode | undefined
  for await (const bytes of bytesOf(path, read)) {
    if (isFirst) decode = decoderOf(bytes, encoding)
    if (decode !== undefined) yield Buffer.from(decode(bytes))
    else yield isFirst && bytes.subarray(0, utf8Bom.length).equals(utf8Bom) ? bytes.subarray(utf8Bom.length) : bytes
    isFirst = false
  }
  if (decode !== undefined) yield Buffer.from(decode())
}
