import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parse, YAMLError } from 'yaml'
import type { JsonValue } from '../../core/canonical/json.ts'
import type { FoundFile } from './find-files.ts'
import { cut } from './cutter.ts'
import { jsonMembers } from './json-members.ts'
import { tableRows } from './table-rows.ts'

export type Member = Readonly<{
  key: string | number
  value: JsonValue
  /** Why the value cannot be trusted. */
  problem?: string | undefined
}>

/** Some members of a document, and how much of the file has been read when they come out (0 to 1). */
export type Members = Readonly<{ members: readonly Member[], fraction: number }>

/** Members of a document that was read whole come out in parts of so many. */
const partSize = 100

const byteOrderMark = Buffer.from('\ufeff')

/** The bytes of a file in pieces, without a byte order mark; `read` counts them. */
async function * bytesOf (path: string, read: (bytes: number) => void): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    read(bytes.length)
    yield isFirst && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes
    isFirst = false
  }
}

/** The text of pieces of UTF-8. Throws on what is none. */
async function * textOf (pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of pieces) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

async function readText (path: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
}

/** The exported value of a module. The module cache would hold it as long as the process lives, so it is taken out again. */
function readModule (path: string, name: string): JsonValue {
  const require = createRequire(path)
  try {
    return (require(path) as Record<string, JsonValue>)[name] ?? null
  } finally {
    Reflect.deleteProperty(require.cache, require.resolve(path))
  }
}

async function readWhole ({ path, declared }: FoundFile): Promise<JsonValue> {
  switch (declared.shape) {
    case 'module': return readModule(path, declared.export ?? 'default')
    case 'yaml': return parse(await readText(path), { maxAliasCount: 100 }) as JsonValue
    case 'json': case 'table': return JSON.parse(await readText(path)) as JsonValue
  }
}

async function * streamed ({ path, declared }: FoundFile): AsyncGenerator<Members> {
  const { size } = await stat(path)
  let bytes = 0
  const pieces = bytesOf(path, length => { bytes += length })
  const fraction = (): number => Math.min(bytes / size, 1)
  if (declared.shape === 'json') {
    for await (const found of cut(pieces, jsonMembers(declared.at?.split('.')))) yield { members: found.map(([key, value]) => ({ key, value })), fraction: fraction() }
    return
  }
  let key = 0
  const dialect = { delimiter: declared.delimiter === 'tab' ? '\t' : ',', quotes: declared.quotes ?? true } as const
  for await (const found of cut(textOf(pieces), tableRows(dialect))) yield { members: found.map(({ row, problem }) => ({ key: key++, value: row, problem })), fraction: fraction() }
}

function * inParts (document: JsonValue): Generator<Members> {
  const all = document === null || typeof document !== 'object' ? [] : Object.entries(document)
  for (let from = 0; from < all.length; from += partSize) {
    const part = all.slice(from, from + partSize)
    yield { members: part.map(([key, value]) => ({ key, value })), fraction: (from + part.length) / all.length }
  }
}

/** What the outermost loop runs over: the members of the document, or the document itself when it is one row. Errors name the file. */
export async function * readMembers (found: FoundFile): AsyncGenerator<Members> {
  const { shape, single = false } = found.declared
  try {
    if (!single && (shape === 'json' || shape === 'table')) {
      yield * streamed(found)
      return
    }
    const document = await readWhole(found)
    if (single) yield { members: [{ key: 0, value: document }], fraction: 1 }
    else yield * inParts(document)
  } catch (error) {
    // A parser's own message quotes the text around the mistake, which may be a value that is withheld.
    if (error instanceof SyntaxError || error instanceof YAMLError) throw new SyntaxError(`${found.path} is not ${shape === 'yaml' ? 'YAML' : 'JSON'}.`)
    if (error instanceof Error && !error.message.includes(found.path)) error.message = `${found.path}: ${error.message}`
    throw error
  }
}
