import { table } from '../../bin/table.ts'
import { faults, type Fault } from '../faults/faults.ts'
import type { Finished } from './pool.ts'

type Verdict = 'held' | 'NOT HELD' | 'not tried'

/** What came of a fault, and why where that is not plain. */
export function verdictOf(
  { trials, untried }: Fault,
  all: readonly Finished[]
): Readonly<{ verdict: Verdict; why: string }> {
  const whys: string[] = []
  let tried = 0
  for (const { file, test = '' } of trials) {
    const outcome = all.find(one => one.file === file)
    if (outcome === undefined) return { verdict: 'not tried', why: `${file} did not run` }
    const failed = outcome.failures.filter(({ name }) => name.includes(test) || !name.includes(' > '))
    if (failed.length > 0 || (outcome.fail > 0 && outcome.failures.length === 0))
      return {
        verdict: 'NOT HELD',
        why: failed
          .map(({ name }) => name)
          .join('; ')
          .slice(0, 160)
      }
    const skips = outcome.skips.filter(line => line.includes(test))
    if (skips.length === 0) tried += 1
    else whys.push(skips[0]?.replace(/^.*?: /, '') ?? '')
  }
  return {
    verdict: tried > 0 ? 'held' : 'not tried',
    why: [untried ?? '', ...new Set(whys)].filter(text => text !== '').join('; ')
  }
}

/** All faults and what came of them. */
export const faultTable = (all: readonly Finished[]): string =>
  table(
    ['fault', 'what is done', 'what must hold', 'outcome', ''],
    faults.map(fault => {
      const { verdict, why } = verdictOf(fault, all)
      return [fault.id, fault.done, fault.holds, verdict, why]
    })
  )
