import { readSku } from '../catalogue/legacy-sku.ts'

/** The result of resolving a text to a SKU. `candidates` are the SKUs of existing cards, in code unit order. */
export type Resolution<Card> = Readonly<
  | { status: 'found'; sku: string; card: Card }
  | { status: 'invalid' }
  | { status: 'absent'; canonical: string }
  | { status: 'ambiguous'; canonical: string; candidates: readonly string[] }
>

/** Looks up cards by canonical SKUs, in the same order. */
type LookUp<Card> = (skus: readonly string[]) => Promise<readonly (Card | undefined)[]>

/**
 * Resolves canonical, upper-case or legacy SKUs to cards, with one lookup for all. Rejects when the catalogue cannot be
 * read.
 */
export async function resolveSkus<Card>(
  texts: readonly string[],
  lookUp: LookUp<Card>
): Promise<readonly Resolution<Card>[]> {
  const readings = texts.map(readSku)
  const skus = [
    ...new Set(readings.flatMap(reading => (reading === undefined ? [] : [reading.canonical, ...reading.others])))
  ]
  const cards = skus.length === 0 ? [] : await lookUp(skus)
  const bySku = new Map(skus.map((sku, index) => [sku, cards[index]]))
  return readings.map((reading): Resolution<Card> => {
    if (reading === undefined) return { status: 'invalid' }
    const { canonical, others, certain } = reading
    const held = [canonical, ...others].flatMap(sku => {
      const card = bySku.get(sku)
      return card === undefined ? [] : [{ sku, card }]
    })
    const [first, second] = held
    if (first === undefined) return { status: 'absent', canonical }
    if (second === undefined || (certain && first.sku === canonical)) return { status: 'found', ...first }
    return { status: 'ambiguous', canonical, candidates: held.map(({ sku }) => sku).sort() }
  })
}
