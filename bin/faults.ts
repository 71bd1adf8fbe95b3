import { operatorFaultOf } from '../core/database/errors.ts'
import { OperatorFault } from '../core/database/fault.ts'
import { faults } from '../core/database/fault-texts.ts'
import { SurfaceError } from '../core/handler/errors.ts'
import { UsageError } from './config.ts'
import { FindingsError, type ExitCode } from './io.ts'
import { placeOf } from './stack-traces.ts'

const tellPantry = 'This is a fault of Pantry: please report it. With LOG_LEVEL=debug its stack is printed.'

/** Codes of the system for what is done with an open file, of which Node names no path. */
const ofOpenFiles: ReadonlySet<unknown> = new Set(['EISDIR', 'EIO', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS'])

/** Returns what an operator reads about an error that is neither wrong usage nor a finding. */
export function faultOf(error: unknown): OperatorFault {
  const known = operatorFaultOf(error)
  if (known !== undefined) return known
  if (!(error instanceof Error)) return new OperatorFault('O902', String(error), tellPantry)
  if (error instanceof SurfaceError)
    return new OperatorFault('O903', error.message, 'Correct what the command was given.', error)
  if ('syscall' in error)
    return 'path' in error || ('code' in error && ofOpenFiles.has(error.code))
      ? new OperatorFault('O404', `${error.message}.`, 'Check the path, its rights, and the space on the disk.', error)
      : new OperatorFault(
          'O405',
          `${error.message}.`,
          'Check the address, the network, and that the server runs.',
          error
        )
  const place = placeOf(error)
  return place === undefined
    ? new OperatorFault('O902', `${error.name}: ${error.message}`, tellPantry, error)
    : new OperatorFault('O901', `${error.name}: ${error.message}`, `Thrown at ${place}.`, error)
}

/**
 * Returns how the process ends after an error, with the fault if it is neither wrong usage nor a finding. `isVerbose`:
 * the stack of an unexpected one is shown.
 */
export function exitStatusOf(
  error: unknown,
  isVerbose = false
): Readonly<{ code: ExitCode; text: string; fault?: OperatorFault }> {
  if (error instanceof FindingsError) return { code: 1, text: error.message }
  if (error instanceof UsageError) return { code: 2, text: `error: ${error.message}` }
  const fault = faultOf(error)
  const { code, message, fix, cause } = fault
  const stack = isVerbose && cause instanceof Error ? `\n${cause.stack ?? ''}` : ''
  return { code: faults[code].exit ?? 3, text: `error[${code}]: ${message}\n${fix}${stack}`, fault }
}
