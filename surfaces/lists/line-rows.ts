/** The cards that are meant by a name, of which there may be many: those with the set and number that a line says. */
import type { Catalogue } from '../cards/catalogue.ts'
import type { Game } from '../cards/games.ts'
import { foldName } from '../cards/search/fold-name.ts'
import type { NameIndex, NumberRow } from '../cards/search/name-index.ts'
import { foldedNumber, type FoundCard, type NumberIndex } from '../cards/search/number-index.ts'
import type { ListLine } from './list-text.ts'

/** Where cards are looked for; without `game` in all of them. */
export type MatchScope = Readonly<{
  catalogue: Pick<Catalogue, 'cardsInBrief' | 'games'>
  index: NumberIndex
  names: NameIndex
  games: readonly Game[]
  game: Game | undefined
  lang: string | undefined
}>

/** The most cards that are named for a line. */
export const maxNearest = 10

/** The most printings that are read of one number. */
export const mostPrintings = 40

export const placeOf = (sku: string): string => sku.split('-', 3).join('-')

export const withoutTotal = (number: string): string => number.replace(/(?<=\d)\/.*$/, '')

/** Rows of a name; `isSure`: whether nothing that a line says of them is open. */
type ChosenRows = Readonly<{ rows: readonly NumberRow[]; isSure: boolean }>

/** Chooses the rows that are in the set and have the number that a line says; `setNames`: folded, by SKU. */
export function rowsThatAre(
  { set, set_name: setName, number }: ListLine,
  rows: readonly NumberRow[],
  setNames: ReadonlyMap<string, string>
): ChosenRows {
  const folded = foldName(setName ?? '')
  const isSet = ({ set_code: code, sku }: NumberRow): boolean =>
    (set !== null && foldedNumber(code) === foldedNumber(set)) ||
    (setName !== null && (setNames.get(sku) ?? '') === folded)
  const isNumber = ({ card_number: own, set_code: code }: NumberRow): boolean =>
    number !== null &&
    [number, `${code}-${number}`].some(one => foldedNumber(withoutTotal(one)) === foldedNumber(withoutTotal(own)))
  const saysSet = set !== null || setName !== null
  const inSet = saysSet ? rows.filter(isSet) : []
  const some = inSet.length > 0 ? inSet : rows
  const numbered = number === null ? [] : some.filter(isNumber)
  return {
    rows: numbered.length > 0 ? numbered : some,
    isSure: (!saysSet || inSet.length > 0) && (number === null || numbered.length > 0)
  }
}

/** Returns the folded names of the sets of rows, by SKU, for the lines that say the name of a set. */
export async function setNamesOf(
  lines: readonly ListLine[],
  rows: readonly (readonly NumberRow[])[],
  { catalogue }: Pick<MatchScope, 'catalogue'>
): Promise<ReadonlyMap<string, string>> {
  const skus = lines.flatMap(({ set_name: setName }, at) =>
    setName === null ? [] : (rows[at] ?? []).map(({ sku }) => sku)
  )
  const briefs = await catalogue.cardsInBrief([...new Set(skus)])
  return new Map(briefs.flatMap(card => (card?.set_name == null ? [] : [[card.sku, foldName(card.set_name)] as const])))
}

/** The cards that the name of a line means, with what it says beside; `isSure`: whether nothing of that is open. */
export type NamedCards = Readonly<{ cards: readonly FoundCard[]; isSure: boolean }>

/**
 * Reads the cards of the rows of names: all printings for a line whose rows are one number, or else the first of each
 * row. `others`: SKUs of which the cards are read as well.
 */
export async function cardsOfRows(
  lines: readonly ListLine[],
  rows: readonly (readonly NumberRow[])[],
  others: readonly string[],
  scope: MatchScope
): Promise<Readonly<{ named: readonly NamedCards[]; cardsBySku: ReadonlyMap<string, FoundCard> }>> {
  const { index, names } = scope
  const setNames = await setNamesOf(lines, rows, scope)
  const chosen = lines.map((line, at) => {
    const { rows: some, isSure } = rowsThatAre(line, rows[at] ?? [], setNames)
    return { rows: some.slice(0, maxNearest), isSure }
  })
  const isOne = (some: readonly NumberRow[]): boolean => new Set(some.map(({ sku }) => placeOf(sku))).size === 1
  const whole = chosen.flatMap(one => (isOne(one.rows) ? one.rows : []))
  const printings = new Map(
    (await names.skusOfEach(whole)).map((skus, at) => [whole[at]?.id, skus.slice(0, mostPrintings)])
  )
  const skusOf = (row: NumberRow): readonly string[] => printings.get(row.id) ?? [row.sku]
  const skus = [...new Set([...others, ...chosen.flatMap(one => one.rows.flatMap(skusOf))])]
  const cardsBySku = new Map((await index.ofSkus(skus)).map(card => [card.sku, card]))
  return {
    cardsBySku,
    named: chosen.map(({ rows: some, isSure }) => ({
      isSure,
      cards: some.flatMap(skusOf).flatMap(sku => cardsBySku.get(sku) ?? [])
    }))
  }
}
