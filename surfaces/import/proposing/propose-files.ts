import { open, readdir } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { extname, join, relative, sep } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import type { Looked } from './propose-rows.ts'
import type { FileOfSource, StatedEncoding } from '../source.ts'
import { delimiters } from '../reading/shapes.ts'
import { decoderOf } from '../reading/text-bytes.ts'

const shapeOfEnding: Readonly<Record<string, FileOfSource['shape']>> = {
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

/** Groups the files that may hold rows by folder and extension. Paths are relative to the folder and use `/`. */
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

/** Returns the first 64 KiB of a file as text, and its encoding if the declaration must state it. */
async function headOf(path: string): Promise<Readonly<{ head: string; encoding: StatedEncoding | undefined }>> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(lookedAt), 0, lookedAt)
    const bytes = buffer.subarray(0, bytesRead)
    const hasMark = decoderOf(bytes, undefined) !== undefined
    // The read may end within a character of up to 4 bytes, so up to 3 bytes at the end are ignored.
    const isPlain = hasMark || [0, 1, 2, 3].some(cut => isUtf8(bytes.subarray(0, bytes.length - cut)))
    const encoding = isPlain ? undefined : 'windows-1252'
    return { head: decoderOf(bytes, encoding)?.(bytes) ?? bytes.toString('utf8'), encoding }
  } finally {
    await file.close()
  }
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

/** Returns the path, at most two names deep, of the value in a document that contains the most rows. */
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

/** Returns the ways to read a file: with rows at the path that has the most of them, or the whole file as one row. */
export async function waysToRead({ folder, documentOf }: Looked, path: string): Promise<readonly FileOfSource[]> {
  const shape = shapeOfEnding[extname(path)] ?? 'json'
  const { head, encoding } = await headOf(join(folder, path))
  const file: FileOfSource = { shape, path, ...(encoding === undefined ? {} : { encoding }) }
  if (shape === 'table') {
    const delimiter = delimiterOf(head)
    return [{ ...file, ...(delimiter === 'comma' ? {} : { delimiter }) }]
  }
  const document = await documentOf(file, path)
  const { at } = listIn(document)
  const list = at.length === 0 || shape === 'yaml' ? [file] : [file, { ...file, at: at.join('.') }]
  return isObject(document) ? [...list, { ...file, single: true }] : list
}
