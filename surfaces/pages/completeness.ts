import type { DataOf } from 'pantry/data'
import type { Bar } from './bars.tsx'
import type { Completenesses } from './schemas.ts'
import { counted } from './words.ts'

type Listed = DataOf<typeof Completenesses>['sets']
type Completeness = Listed[number]['completeness']
type Guide = Readonly<{ sets: readonly Readonly<{ code: string; printed_code: string; name: string | null }>[] }>

/** Maps set codes to the completeness of the sets. */
export const completenessOf = (sets: Listed): ReadonlyMap<string, Completeness> =>
  new Map(sets.map(({ set_code: code, completeness }) => [code, completeness]))

export const shareText = (of: Completeness | undefined): string =>
  of?.declared_total == null ? 'not declared' : `${counted(of.held_numbers)} of ${counted(of.declared_total)}`

/** Returns bars for the sets with a declared number of cards: the held share in whole percent. */
export const shareBars = (
  { sets }: Guide,
  known: ReadonlyMap<string, Completeness>,
  hrefOf: (code: string) => string
): Bar[] =>
  sets.flatMap(({ code, name, printed_code: printed }) => {
    const { held_numbers: held = 0, declared_total: total = null } = known.get(code) ?? {}
    return total === null || total === 0
      ? []
      : [{ label: name ?? printed, href: hrefOf(code), value: Math.floor(100 * Math.min(1, held / total)) }]
  })
