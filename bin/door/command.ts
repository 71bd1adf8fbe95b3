/**
 * `pantry/command`: what a root's own commands are written with, in `surfaces/commands/<name>`.
 *
 * @module
 */
import type { openFile as OpenFile, tablesOf as TablesOf } from '../load/read-rows.ts'
import type { withReaders as WithReaders } from '../load/reader-packages.ts'
import type {
  readableCorpus as ReadableCorpus,
  requireCorpus as RequireCorpus,
  showProblems as ShowProblems
} from '../read-registry.ts'
import type { againOnChange as AgainOnChange } from '../watch.ts'

export { Argument, Option } from 'commander'
export { choice, defineCommand, rootOption, type CommandDefinition, type RootOptions } from '../command.ts'
export { UsageError } from '../config.ts'
export { count, FindingsError, print, printJson, type ExitCode, type Io } from '../io.ts'
export { folderOfCorpus, folderOfNew, printNewFiles, refuseExisting, writeNewFiles } from '../written-files.ts'
export { table } from '../table.ts'
export { createProgress } from '../progress.ts'
export { withDatabase } from '../with-database.ts'

/**
 * Opens a file of rows by its name or the named form. SQLite, Parquet and workbooks are read in a process of its own,
 * which is ended where it takes too much memory or makes no progress. Throws a UsageError or an OperatorFault where the
 * file cannot be read, and an OperatorFault that names the packages to install where they are missing.
 */
export const openFile: typeof OpenFile = async (...given) =>
  await (await import('../load/read-rows.ts')).openFile(...given)

/** Returns the names of the tables of an SQLite file, or of the sheets of a workbook. */
export const tablesOf: typeof TablesOf = async (...given) =>
  await (await import('../load/read-rows.ts')).tablesOf(...given)

/** Runs what reads a file by packages that may not be installed; an OperatorFault then says what to install. */
export const withReaders: typeof WithReaders = async (...given) =>
  await (await import('../load/reader-packages.ts')).withReaders(...given)

/**
 * Runs some work, and again after each change of a manifest or corpus of the named roots, or of a file below some
 * folders, until the process is asked to end.
 */
export const againOnChange: typeof AgainOnChange = async (...given) =>
  await (await import('../watch.ts')).againOnChange(...given)

/**
 * Returns the entries of one corpus of the named roots; if it has mistakes, prints them and ends the command with
 * 1. The implementation is imported on the first call, so that help stays fast.
 */
export const requireCorpus: typeof RequireCorpus = async (...given) =>
  await (await import('../read-registry.ts')).requireCorpus(...given)

/**
 * Returns the valid entries of one corpus, and the names of the files of the others (`broken`), whose mistakes it
 * prints.
 */
export const readableCorpus: typeof ReadableCorpus = async (...given) =>
  await (await import('../read-registry.ts')).readableCorpus(...given)

/** Prints problems of entries with their positions in the files of a corpus. */
export const showProblems: typeof ShowProblems = async (...given) => {
  await (await import('../read-registry.ts')).showProblems(...given)
}
