import { UsageError } from '../config.ts'
import { FindingsError } from '../output/exit.ts'
import type { AnyDuties, DutyFailure, DutyOutcome, Order } from './duties.ts'

const failureOf = (error: unknown): DutyFailure => ({
  message: error instanceof Error ? error.message : String(error),
  fix: error instanceof Error && 'fix' in error ? String(error.fix) : undefined,
  of: error instanceof UsageError ? 'usage' : error instanceof FindingsError ? 'findings' : undefined
})

/** The channel is closed when the worker ends. */
const tell = (outcome: DutyOutcome): void => {
  process.send?.(outcome, () => undefined)
}

/** Does what the main process asks of this one, from now on. */
export function doDuties<Tasks extends AnyDuties>(duties: {
  readonly [Name in keyof Tasks]: (given: Parameters<Tasks[Name]>[0]) => unknown
}): void {
  process.on('message', ({ id, duty, given }: Order) => {
    // What comes next must find the duty begun.
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
  // A terminal and a service manager signal all processes of a service, and only the main one decides.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  // A reader of the log that is gone is no failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  // What is sent earlier is lost.
  tell({ id: 0, value: undefined })
}
