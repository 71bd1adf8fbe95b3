import { messageOf } from '../io.ts'

/**
 * How a step ended. `refused`: the checkout is not one to release, such as with uncommitted changes; `failed`: what a
 * release would contain is wrong; `not run`: it can run only elsewhere or later.
 */
type Ending = 'done' | 'refused' | 'failed' | 'not run'

type Outcome = Readonly<{ ending: Ending; detail: string }>

export type ReleaseStep = Readonly<{ step: string; work: () => Outcome | Promise<Outcome> }>

export type Ended = Outcome & Readonly<{ step: string }>

export const done = (detail: string): Outcome => ({ ending: 'done', detail })
export const failed = (detail: string): Outcome => ({ ending: 'failed', detail })
export const notRun = (detail: string): Outcome => ({ ending: 'not run', detail })

/** Returns a check: done if there is no reason against it. */
export const unless = (ending: 'refused' | 'failed', reason: string | undefined, detail: string): Outcome =>
  reason === undefined ? done(detail) : { ending, detail: reason }

const isAgainst = ({ ending }: Outcome): boolean => ending === 'refused' || ending === 'failed'

/** Whether a release can be made, after these steps. */
export const isReady = (ended: readonly Outcome[]): boolean => !ended.some(isAgainst)

/**
 * Does steps in their order. A release ends with the first step that is refused or fails; a dry run goes on, to find
 * everything that is in the way.
 */
export async function doSteps(
  steps: readonly ReleaseStep[],
  isDry: boolean,
  begin: (step: string) => void = () => undefined
): Promise<readonly Ended[]> {
  const ended: Ended[] = []
  for (const { step, work } of steps) {
    const against = ended.find(isAgainst)
    if (against !== undefined && !isDry) {
      ended.push({ step, ...notRun(`because of the step "${against.step}"`) })
      continue
    }
    begin(step)
    try {
      ended.push({ step, ...(await work()) })
    } catch (error) {
      ended.push({ step, ...failed(messageOf(error)) })
    }
  }
  return ended
}

/** The exit code: 1 if something is wrong, or if no release was made. */
export const exitCodeOf = (ended: readonly Ended[], isDry: boolean): 0 | 1 =>
  ended.some(({ ending }) => ending === 'failed') || (!isDry && !isReady(ended)) ? 1 : 0
