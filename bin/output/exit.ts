import { UsageError } from '../config.ts'

/** Exit codes: 0 fine, 1 findings, 2 wrong usage or configuration, 3 environment (database, disk, network). */
export type ExitCode = 0 | 1 | 2 | 3

/** Thrown after a command has printed its findings. The process exits with 1. */
export class FindingsError extends Error {}

const isSystemError = (error: Error): boolean => 'syscall' in error && 'code' in error

/**
 * Returns how a failed command ends: its exit code and the text for stderr. An unexpected error is shown with its
 * stack.
 */
export function ending(error: unknown): Readonly<{ code: ExitCode; text: string }> {
  if (!(error instanceof Error)) return { code: 3, text: String(error) }
  if (error instanceof FindingsError) return { code: 1, text: error.message }
  if (error instanceof UsageError) return { code: 2, text: `error: ${error.message}` }
  if ('fix' in error && typeof error.fix === 'string') return { code: 3, text: `error: ${error.message}\n${error.fix}` }
  // A SurfaceError means that a store cannot be reached; a system error comes from the disk or the network.
  if (error.name === 'SurfaceError' || isSystemError(error)) return { code: 3, text: `error: ${error.message}` }
  return { code: 3, text: error.stack ?? error.message }
}
