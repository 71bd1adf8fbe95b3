import { UsageError } from '../config.ts'
import { FindingsError } from '../output/exit.ts'
import type { AnyDuties, DutyFailure, DutyOutcome, Order } from './duties.ts'

const failureOf = (error: unknown): DutyFailure => ({
  message: error instanceof Error ? error.message : String(error),
  fix: error instanceof Error && 'fix' in error ? String(error.fix) : undefined,
  of: error instanceof UsageError ? 'usage' : error instanceof FindingsError ? 'findings' : undefined
})

/** Sends an outcome; errors are ignored because the channel is closed when the worker ends. */
const tell = (outcome: DutyOutcome): void => {
  process.send?.(outcome, () => undefined)
}

/** Starts to execute the calls of the main process. */
export function doDuties<Tasks extends AnyDuties>(duties: {
  readonly [Name in keyof Tasks]: (given: Parameters<Tasks[Name]>[0]) => unknown
}): void {
  process.on('message', ({ id, duty, given }: Order) => {
    // The call begins synchronously, so that the next message finds it begun.
    const work = async (): Promise<unknown> => await (duties[duty] as (given: unknown) => unknown)(given)
    work().then(
      value => {
        tell({ id, value })
      },
      (error: unknown) => {
        tell({ id, failure: failureOf(error) })
      }
    )
  })
  // Terminals and service managers signal all processes of a service; only the main process acts on signals.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  // A closed log stream is no failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  // Announces that this process is ready for calls; messages sent before are lost.
  tell({ id: 0, value: undefined })
}
