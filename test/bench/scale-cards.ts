import { encodePart, parseSku } from '../../surfaces/cards/sku.ts'
import type { CardFacts } from '../../surfaces/cards/card-fields.ts'

const letterOf = (index: number): string => String.fromCharCode(65 + (index % 26))

/** Two letters for each turn from 1 to 675; nothing for turn 0, which is the real rows. */
export const lettersOf = (turn: number): string => (turn === 0 ? '' : letterOf(turn / 26) + letterOf(turn))

/**
 * The code of a set in a turn: `OP01` becomes `OPAB01`. Only letters are added, so that numbers with the code are read
 * as before.
 */
export const codeIn = (turn: number, code: string): string =>
  code.replace(/^[A-Za-z]*/, letters => letters + lettersOf(turn))

/** A SKU in a turn; the part of the set starts as its code does. */
export const skuIn = (turn: number, sku: string): string =>
  sku.replace(/^([a-z0-9]+-[a-z]*)/, start => start + encodePart(lettersOf(turn)))

/** The same card in another set. */
export const cardIn = (turn: number, card: CardFacts): CardFacts => ({
  ...card,
  sku: skuIn(turn, card.sku),
  set_code: codeIn(turn, card.set_code),
  card_number: hasCode(card) ? codeIn(turn, card.card_number) : card.card_number
})

/** Whether the number names its set, as `OP01-001` does. */
export const hasCode = ({ card_number: number, set_code: code }: CardFacts): boolean => number.startsWith(code)

/** The number without its set. */
export const numberAlone = ({ sku }: CardFacts): string => parseSku(sku)?.number ?? ''
