import { open, readdir } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { extname, join, relative, sep } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import type { Looked } from './propose-rows.ts'
import type { SourceFile } from '../source.ts'
import { delimiters } from '../reading/shapes.ts'
import { decoderOf, type Encoding } from '../reading/text-bytes.ts'

const shapeOfEnding: Readonly<Record<string, SourceFile['shape']>> = {
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.xml': 'xml',
  '.csv': 'table',
  '.tsv': 'table',
  '.txt': 'table'
}
const noData =
  /^(?:package(?:-lock)?|tsconfig.*|composer|manifest|bower|jsconfig|robots|readme|licen[cs]e|changelog)\.[a-z]+$/i

/** Files that may hold rows, those of one folder and ending together; paths are relative, with `/`. */
export async function groupsOf(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, string[]>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const parts = relative(folder, join(entry.parentPath, entry.name)).split(sep)
    if (
      !entry.isFile() ||
      noData.test(entry.name) ||
      shapeOfEnding[extname(entry.name)] === undefined ||
      parts.some(name => name.startsWith('.') || name === 'node_modules')
    )
      continue
    const key = [...parts.slice(0, -1), `*${extname(entry.name)}`].join('/')
    groups.set(key, [...(groups.get(key) ?? []), parts.join('/')])
  }
  return new Map([...groups].map(([key, paths]) => [key, paths.sort()]))
}

const lookedAt = 65_536

/** The first bytes of a file as text, and the encoding that a declaration must name. */
async function headOf(path: string): Promise<Readonly<{ head: string; encoding: Encoding | undefined }>> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(lookedAt), 0, lookedAt)
    const bytes = buffer.subarray(0, bytesRead)
    const hasMark = decoderOf(bytes, undefined) !== undefined
    // The last character may be cut.
    const isPlain = hasMark || [0, 1, 2, 3].some(cut => isUtf8(bytes.subarray(0, bytes.length - cut)))
    const encoding = isPlain ? undefined : 'windows-1252'
    return { head: decoderOf(bytes, encoding)?.(bytes) ?? bytes.toString('utf8'), encoding }
  } finally {
    await file.close()
  }
}

/** The separator that is most often in the first line. */
function delimiterOf(head: string): keyof typeof delimiters {
  const [line = ''] = head.split('\n')
  const counts = Object.entries(delimiters).map(
    ([name, sign]) => [name as keyof typeof delimiters, line.split(sign).length] as const
  )
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/** How many rows the members of a value would be: objects, or lists of objects. */
const rowsIn = (value: JsonValue): number =>
  isObject(value) || Array.isArray(value)
    ? Object.values(value as JsonObject).reduce<number>(
        (sum, member) => sum + (isObject(member) ? 1 : Array.isArray(member) ? member.filter(isObject).length : 0),
        0
      )
    : 0

/** Where in a document the most objects are together, no more than two names deep. */
function listIn(document: JsonValue, at: readonly string[] = []): Readonly<{ at: readonly string[]; rows: number }> {
  const own = { at, rows: rowsIn(document) }
  const inner =
    !isObject(document) || at.length === 2
      ? []
      : Object.entries(document).map(([name, member]) =>
          name.includes('.') ? own : listIn(member ?? null, [...at, name])
        )
  return inner.reduce((best, one) => (one.rows > best.rows ? one : best), own)
}

/** The ways in which a file can be read: where its rows are, or as one row. */
export async function waysToRead({ folder, documentOf }: Looked, path: string): Promise<readonly SourceFile[]> {
  const shape = shapeOfEnding[extname(path)] ?? 'json'
  const { head, encoding } = await headOf(join(folder, path))
  const file: SourceFile = { shape, path, ...(encoding === undefined ? {} : { encoding }) }
  if (shape === 'table') {
    const delimiter = delimiterOf(head)
    return [{ ...file, ...(delimiter === 'comma' ? {} : { delimiter }) }]
  }
  const document = await documentOf(file, path)
  const { at } = listIn(document)
  const list = at.length === 0 || shape === 'yaml' ? [file] : [file, { ...file, at: at.join('.') }]
  return isObject(document) ? [...list, { ...file, single: true }] : list
}
