/**
 * `pantry/command`: what a root's own commands are written with, in `surfaces/commands/<name>`.
 *
 * @module
 */
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
