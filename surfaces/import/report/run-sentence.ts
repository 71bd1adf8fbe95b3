import type { ImportSummary } from '../import.ts'

const grouped = (number: number): string => number.toLocaleString('en')

type Told = Pick<ImportSummary, 'source' | 'written' | 'unchanged' | 'quarantined'> &
  Readonly<{ withdrawals: Pick<ImportSummary['withdrawals'], 'cards'> }>

/** Describes the result of one import in a sentence: `15,590 cards of flesh-and-blood-cards; 1 row left out`. */
export function runSentence({ source, written, unchanged, quarantined, withdrawals }: Told): string {
  const kept = written + unchanged
  const changed = unchanged === 0 ? '' : `, ${written === 0 ? 'none' : grouped(written)} of them new or changed`
  const leftOut = quarantined === 0 ? '' : `; ${grouped(quarantined)} ${quarantined === 1 ? 'row' : 'rows'} left out`
  const withdrawn = withdrawals.cards === 0 ? '' : `; ${grouped(withdrawals.cards)} withdrawn`
  return `${grouped(kept)} ${kept === 1 ? 'card' : 'cards'} of ${source}${changed}${leftOut}${withdrawn}`
}
