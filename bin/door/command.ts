/**
 * `pantry/command`: what a root's own commands are written with, in `surfaces/commands/<name>`.
 *
 * @module
 */
import type { againOnChange as AgainOnChange } from '../again.ts'
import type {
  readableCorpus as ReadableCorpus,
  requireCorpus as RequireCorpus,
  showProblems as ShowProblems
} from '../require-registry.ts'

export { Argument, Option } from 'commander'
export { choice, defineCommand, rootOption, type CommandDefinition, type RootOptions } from '../command.ts'
export { UsageError } from '../config.ts'
export { FindingsError, type ExitCode } from '../output/exit.ts'
export { folderOfCorpus, folderOfNew, printNewFiles, refuseExisting, writeNewFiles } from '../new-files.ts'
export { count, print, printJson, type Io } from '../output/io.ts'
export { table } from '../output/table.ts'
export { createProgress } from '../progress.ts'
export { withDatabase } from '../with-database.ts'

/**
 * Does some work, and again whenever files of the named roots or below some folders have changed, until the process is
 * asked to end.
 */
export const againOnChange: typeof AgainOnChange = async (...given) =>
  await (await import('../again.ts')).againOnChange(...given)

/**
 * The entries of one corpus of the named roots; with mistakes in it they are printed and the command ends with 1.
 * Reading it costs what help need not pay.
 */
export const requireCorpus: typeof RequireCorpus = async (...given) =>
  await (await import('../require-registry.ts')).requireCorpus(...given)

/** The entries of one corpus that have no mistakes; the mistakes of the others are printed. */
export const readableCorpus: typeof ReadableCorpus = async (...given) =>
  await (await import('../require-registry.ts')).readableCorpus(...given)

/** Prints problems of entries at their places in the files of a corpus. */
export const showProblems: typeof ShowProblems = async (...given) => {
  await (await import('../require-registry.ts')).showProblems(...given)
}
