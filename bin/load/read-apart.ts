import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { OperatorFault } from '../../core/database/fault.ts'
import { UsageError } from '../config.ts'
import { codeExtension, codeFolder } from '../project.ts'
import type { BinaryForm } from './file-forms.ts'
import type { FileRow, TableFile } from './table-file.ts'

/** A file to read. `table`: of an SQLite file, or a sheet of a workbook. `by`: how it is named, for messages. */
export type BinaryFile = Readonly<{
  path: string
  form: BinaryForm
  table?: string | undefined
  by?: string | undefined
}>

/** What the process that reads is sent first. `memory`: bytes that it may take. `asks`: for what. */
export type ReadOrder = BinaryFile & Readonly<{ memory: number; asks: 'opening' | 'tables' }>
/**
 * What it sends: the names of the tables; or first what the file declares, then parts of its rows; or why it cannot be
 * read.
 */
export type ReadOpening = Pick<TableFile, 'declared'> & Readonly<{ notes: readonly string[] }>
export type ReadTables = Readonly<{ tables: readonly string[] }>
export type ReadPart = Readonly<{ rows: readonly FileRow[]; notes: readonly string[]; isLast: boolean }>
export type ReadFailure = Readonly<{ failed: string; isUsage: boolean; code: string | undefined }>

type Answer = ReadOpening | ReadTables | ReadPart

/** `memory`: bytes that reading may take. `silence`: milliseconds without a part. */
type ReadLimits = Readonly<{ memory: number; silence: number }>

const usual: ReadLimits = { memory: 3 * 2 ** 30, silence: 60_000 }

const asCsv = ({ path, form }: BinaryFile): string =>
  ({
    parquet: 'write it with smaller row groups, or as CSV, and load that.',
    sqlite: `write the table as CSV, and load that: sqlite3 -header -csv ${path} 'select * from <table>' > <table>.csv`,
    xlsx: 'save the sheet as CSV, and load that.'
  })[form]

const tooMuch = (file: BinaryFile, what: string): OperatorFault =>
  new OperatorFault(
    'O409',
    `${file.path} is not read any further: ${what}. It may be damaged, or made to do harm.`,
    `Take another copy of it. If it is as it should be, ${asCsv(file)}`
  )

function errorOf({ failed, isUsage, code }: ReadFailure): Error {
  if (isUsage) return new UsageError(failed)
  return Object.assign(new Error(failed), code === undefined ? {} : { code })
}

/** A process that reads a file. It does not keep this one from its end. */
class Reading {
  readonly #child: ChildProcess
  readonly #file: BinaryFile
  readonly #limits: ReadLimits

  constructor(file: BinaryFile, limits: ReadLimits) {
    this.#file = file
    this.#limits = limits
    const megabytes = limits.memory / 2 ** 20
    this.#child = fork(join(codeFolder, 'bin', `load/file-reader${codeExtension}`), {
      execArgv: [...process.execArgv, `--max-old-space-size=${megabytes}`],
      serialization: 'advanced',
      // Where memory ends, Node.js prints its own stack.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc']
    })
    // Between two answers an error says nothing that the next one would not.
    this.#child.on('error', () => undefined)
  }

  async opening(): Promise<ReadOpening> {
    return (await this.#ask(this.#order('opening'))) as ReadOpening
  }

  async tables(): Promise<ReadTables> {
    return (await this.#ask(this.#order('tables'))) as ReadTables
  }

  async next(): Promise<ReadPart> {
    return (await this.#ask('next')) as ReadPart
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }

  #order(asks: ReadOrder['asks']): ReadOrder {
    return { ...this.#file, memory: this.#limits.memory, asks }
  }

  /** Sends a message and waits for its answer; rejects, and ends the process, where it fails or is beyond a limit. */
  async #ask(message: ReadOrder | 'next'): Promise<Answer> {
    const { memory, silence } = this.#limits
    const child = this.#child
    let done = (): void => undefined
    child.ref()
    child.channel?.ref()
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const late = setTimeout(() => {
          reject(tooMuch(this.#file, `no row came for ${silence / 1000} s`))
        }, silence)
        const answered = (said: Answer | ReadFailure): void => {
          if ('failed' in said) reject(errorOf(said))
          else resolve(said)
        }
        const ended = (code: number | null, signal: string | null): void => {
          if (signal === 'SIGKILL' || signal === 'SIGABRT')
            reject(tooMuch(this.#file, `it takes more than ${memory / 2 ** 20} MiB of memory`))
          else reject(new Error(`${this.#file.path} cannot be read: its reader ended (${signal ?? code ?? ''}).`))
        }
        child.on('message', answered).on('exit', ended).on('error', reject)
        done = () => {
          clearTimeout(late)
          child.off('message', answered).off('exit', ended).off('error', reject)
        }
        child.send(message)
      })
    } catch (error) {
      this.end()
      throw error
    } finally {
      done()
      child.unref()
      child.channel?.unref()
    }
  }
}

/** Returns the names of the tables or sheets that have rows, read as `openApart` reads. */
export async function tablesApart(file: BinaryFile, limits: ReadLimits = usual): Promise<readonly string[]> {
  const reading = new Reading(file, limits)
  try {
    return (await reading.tables()).tables
  } finally {
    reading.end()
  }
}

/** Opens a file in a process of its own, which is ended where it takes too much memory or makes no progress. */
export async function openApart(file: BinaryFile, limits: ReadLimits = usual): Promise<TableFile> {
  let begun: Reading | undefined = new Reading(file, limits)
  const { declared, notes: found } = await begun.opening()
  const notes = new Set(found)
  return {
    declared,
    notes,
    read: async function* () {
      const reading = begun ?? new Reading(file, limits)
      if (begun === undefined) await reading.opening()
      begun = undefined
      try {
        for (;;) {
          const part = await reading.next()
          for (const note of part.notes) notes.add(note)
          yield* part.rows
          if (part.isLast) return
        }
      } finally {
        reading.end()
      }
    }
  }
}
