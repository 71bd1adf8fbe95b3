import { open, type FileHandle } from 'node:fs/promises'
import type * as Hyparquet from 'hyparquet'
import type { AsyncBuffer, ColumnMetaData, Compressors, FileMetaData, RowGroup } from 'hyparquet'
import type * as ReadColumn from 'hyparquet/src/column.js'
import type { JsonValue } from '../../core/canonical/json.ts'
import { UsageError } from '../config.ts'
import { messageOf } from '../io.ts'
import { markedGroup, parquetColumn, plainElement, type ParquetColumn } from './parquet-values.ts'
import type { FileRow, TableFile } from './table-file.ts'

/** Bytes that are held at once: of the list of columns, of a row group as it is stored, and of one page of it. */
const most = { footer: 1 << 26, group: 1 << 28, page: 1 << 27 }
/** Values of one page, and values of all columns that are decoded at once. */
const mostValues = 1 << 23
const partValues = 1 << 20
const partRows = 1 << 16
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MiB`

type Column = Readonly<{ name: string; at: number }> & Exclude<ParquetColumn, { reason: string }>

async function bytesOf(handle: FileHandle, from: number, to: number): Promise<ArrayBuffer> {
  const buffer = new ArrayBuffer(to - from)
  const { bytesRead } = await handle.read(new Uint8Array(buffer), 0, to - from, from)
  if (bytesRead < to - from) throw new Error('it ends before its content does')
  return buffer
}

/** Reads the end of a file, which says what is in it, after it is plain that the file can be one. */
async function footerOf(handle: FileHandle, size: number): Promise<ArrayBuffer> {
  const magic = async (from: number): Promise<string> =>
    size < 12 ? '' : Buffer.from(await bytesOf(handle, from, from + 4)).toString('latin1')
  if ((await magic(0)) === 'PARE') throw new Error('it is encrypted')
  if ((await magic(0)) !== 'PAR1') throw new Error('it does not begin with PAR1')
  if ((await magic(size - 4)) !== 'PAR1') throw new Error('it does not end with PAR1: it is cut off')
  const length = new DataView(await bytesOf(handle, size - 8, size - 4)).getUint32(0, true)
  if (length > size - 12) throw new Error(`its list of columns would have ${length} bytes`)
  if (length > most.footer) throw new Error(`its list of columns has ${megabytes(length)} of ${megabytes(most.footer)}`)
  return await bytesOf(handle, size - 8 - length, size)
}

/** Returns where a column of a row group is in the file. */
function rangeOf(column: ColumnMetaData, size: number): readonly [from: number, to: number] {
  const { dictionary_page_offset: dictionary, data_page_offset: data, total_compressed_size: length } = column
  const from = Number(dictionary === undefined || dictionary === 0n || dictionary > data ? data : dictionary)
  const to = from + Number(length)
  if (!(from >= 4 && to >= from && to <= size)) throw new Error('a column lies outside of it')
  return [from, to]
}

type Readers = Readonly<{
  hyparquet: Pick<typeof Hyparquet, 'parquetMetadata' | 'parquetRead' | 'parquetSchema'>
  parquetHeader: (typeof ReadColumn)['parquetHeader']
  compressors: Compressors
}>

async function readers(): Promise<Readers> {
  const [hyparquet, { parquetHeader }, { compressors, decompressZstd }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet/src/column.js'),
    import('hyparquet-compressors')
  ])
  const bounded = (input: Uint8Array, length: number): Uint8Array => decompressZstd(input, new Uint8Array(length))
  return { hyparquet, parquetHeader, compressors: { ...compressors, ZSTD: bounded } }
}

/** What is known of a file before its rows are read. */
type Known = Readonly<{ readers: Readers; metadata: FileMetaData; columns: readonly Column[]; size: number }>

/** Checks the sizes of the pages of a column before memory is taken for them. Returns how many values they have. */
function valuesIn(bytes: ArrayBuffer, { parquetHeader }: Readers): number {
  const reader = { view: new DataView(bytes), offset: 0 }
  let values = 0
  while (reader.offset < bytes.byteLength - 1) {
    const header = parquetHeader(reader)
    const { compressed_page_size: stored, uncompressed_page_size: size } = header
    const isDictionary = header.dictionary_page_header !== undefined
    const counts = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header
    const count = counts?.num_values ?? 0
    if (!(stored >= 0 && reader.offset + stored <= bytes.byteLength)) throw new Error('a page of it is cut off')
    if (!(size >= 0 && size <= most.page))
      throw new Error(`a page of it has ${megabytes(size)}, and at most ${megabytes(most.page)} are read`)
    if (!(count >= 0 && count <= (isDictionary ? Math.min(size, mostValues) : mostValues)))
      throw new Error(`a page of it has ${count} values, and at most ${mostValues} are read`)
    if (!isDictionary) values += count
    reader.offset += stored
  }
  return values
}

/** Returns the columns of a row group that are read. */
function chunksOf(group: RowGroup, { columns }: Known): readonly ColumnMetaData[] {
  const names = new Set(columns.map(({ name }) => name))
  return group.columns.flatMap(({ meta_data: column, file_path: path }) => {
    if (column === undefined) throw new Error('it is encrypted')
    if (path !== undefined) throw new Error('its content is in other files')
    return names.has(column.path_in_schema[0] ?? '') ? [column] : []
  })
}

/** Checks a row group, and returns the number of its rows. */
async function checkGroup(handle: FileHandle, group: RowGroup, known: Known): Promise<number> {
  const rows = Number(group.num_rows)
  const chunks = chunksOf(group, known)
  const ranges = chunks.map(chunk => rangeOf(chunk, known.size))
  const length = Math.max(...ranges.map(([, to]) => to)) - Math.min(...ranges.map(([from]) => from))
  if (length > most.group)
    throw new Error(
      `a row group of it has ${megabytes(length)}, and at most ${megabytes(most.group)} are read: write it with smaller row groups, or as CSV`
    )
  for (const [at, [from, to]] of ranges.entries()) {
    const values = valuesIn(await bytesOf(handle, from, to), known.readers)
    const path = chunks[at]?.path_in_schema ?? []
    if (path.length === 1 ? values !== rows : values < rows)
      throw new Error(`its column \`${path.join('.')}\` has ${values} values in a group of ${rows} rows`)
  }
  return rows
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function readPart(file: AsyncBuffer, known: Known, from: number, to: number): Promise<readonly unknown[][]> {
  const { readers, metadata, columns } = known
  let rows: readonly unknown[][] = []
  await readers.hyparquet.parquetRead({
    file,
    metadata,
    columns: columns.map(({ name }) => name),
    rowStart: from,
    rowEnd: to,
    rowFormat: 'array',
    compressors: readers.compressors,
    utf8: false,
    geoparquet: false,
    parsers: { stringFromBytes: bytes => decoder.decode(bytes), timestampFromNanoseconds: nanos => nanos },
    onComplete: read => {
      rows = read
    }
  })
  return rows
}

/** Serves parts of a file, and keeps those of one row group. */
function keeping(handle: FileHandle, size: number): AsyncBuffer {
  const kept = new Map<string, Promise<ArrayBuffer>>()
  return {
    byteLength: size,
    slice: (from, to = size) => {
      const key = `${from}-${to}`
      const known = kept.get(key) ?? bytesOf(handle, from, to)
      kept.set(key, known)
      return known
    }
  }
}

async function* rowsOf(handle: FileHandle, known: Known): AsyncGenerator<FileRow> {
  const { metadata, columns, size } = known
  const step = Math.max(1024, Math.min(partRows, Math.floor(partValues / metadata.schema.length)))
  let before = 0
  for (const group of metadata.row_groups) {
    if (group.num_rows === 0n) continue
    const count = await checkGroup(handle, group, known)
    const file = keeping(handle, size)
    for (let from = before; from < before + count; from += step) {
      const rows = await readPart(file, known, from, Math.min(before + count, from + step))
      for (const [at, row] of rows.entries())
        yield {
          line: from + at + 1,
          values: new Map(
            columns.map(({ name, convert, at: place }): [string, JsonValue] => [name, convert(row[place])])
          )
        }
    }
    before += count
  }
}

const wrong = (path: string, error: unknown): UsageError =>
  error instanceof UsageError
    ? error
    : new UsageError(
        `${path} cannot be read as Parquet: ${error instanceof TypeError && error.message.includes('encoded data') ? 'it holds text that is not UTF-8' : messageOf(error)}.`,
        { cause: error }
      )

async function knownOf(handle: FileHandle, notes: Set<string>): Promise<Known> {
  const { size } = await handle.stat()
  const footer = await footerOf(handle, size)
  const used = await readers()
  const { parquetMetadata, parquetSchema } = used.hyparquet
  const given = parquetMetadata(footer, { geoparquet: false })
  const schema = given.schema.map(markedGroup)
  const all = parquetSchema({ ...given, schema }).children
  const names = all.map(({ element }) => element.name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`it has two columns \`${twice}\``)
  const columns: Column[] = []
  for (const tree of all) {
    const { name } = tree.element
    const column = parquetColumn(tree, what => notes.add(`\`${name}\`: ${what}.`))
    if ('reason' in column) notes.add(`\`${name}\` is not taken: ${column.reason}.`)
    else columns.push({ name, at: columns.length, ...column })
  }
  return { readers: used, metadata: { ...given, schema: schema.map(plainElement) }, columns, size }
}

/** Opens a Parquet file: its columns with their types, and its rows, one part of a row group after the other. */
export async function openParquet(path: string): Promise<TableFile> {
  const notes = new Set<string>()
  const opened = async <T>(work: (handle: FileHandle) => Promise<T>): Promise<T> => {
    const handle = await open(path)
    try {
      return await work(handle)
    } catch (error) {
      throw wrong(path, error)
    } finally {
      await handle.close()
    }
  }
  const known = await opened(handle => knownOf(handle, notes))
  const [first] = known.columns
  if (first === undefined)
    throw new UsageError(`${path} has no column that can be loaded. ${[...notes].join(' ')}`.trim())
  return {
    declared: new Map(known.columns.map(({ name, type }) => [name, { among: [type], empty: type }])),
    notes,
    read: async function* () {
      const handle = await open(path)
      try {
        yield* rowsOf(handle, known)
      } catch (error) {
        throw wrong(path, error)
      } finally {
        await handle.close()
      }
    }
  }
}
