import { OperatorFault } from '../../core/database/fault.ts'
import { withVersions } from '../packages.ts'
import { packageManagerOf } from '../package-managers.ts'
import type { FileForm } from './file-forms.ts'

/** Files that are read by packages: forms of rows, and modules of literals. */
type Readable = FileForm | 'literals'

/** The packages that read a form of files. They are installed only where such files are read. */
const readers: Readonly<Partial<Record<Readable, readonly string[]>>> = {
  parquet: ['hyparquet', 'hyparquet-compressors'],
  sqlite: ['sql.js'],
  xlsx: ['read-excel-file'],
  literals: ['@babel/parser']
}

/** Returns the packages that read files of a form. */
export const readersOf = (form: Readable): readonly string[] => readers[form] ?? []

/** The fault of a file whose reader is not installed, with the command that installs it. */
function noReader(file: string, form: Readable, cause: unknown): OperatorFault {
  const { name, add } = packageManagerOf(process.cwd(), process.env)
  return new OperatorFault(
    'O406',
    `${file} cannot be read, because what reads it is not installed.`,
    `Run: ${[name, ...add, ...withVersions(readersOf(form))].join(' ')}`,
    cause
  )
}

/** Runs what reads a file, and says what to install if its packages are missing. */
export async function withReaders<T>(file: string, form: Readable, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw isMissing ? noReader(file, form, error) : error
  }
}
