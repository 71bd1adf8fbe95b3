import { readSku } from '../catalogue/legacy-sku.ts'

/** What became of a text that should be a SKU. `candidates` are the SKUs of cards that are held, in code unit order. */
export type Resolution<Card> = Readonly<
  | { status: 'found', sku: string, card: Card }
  | { status: 'invalid' }
  | { status: 'absent', canonical: string }
  | { status: 'ambiguous', canonical: string, candidates: readonly string[] }
>

/**
 * Resolves a canonical, upper-case or legacy SKU to the card it names, with a lookup that shares one query between all that is asked in
 * a turn of the event loop. Is unavailable when the catalogue cannot be read.
 */
export async function resolveSku<Card> (text: string, lookUp: (sku: string) => Promise<Card | undefined>): Promise<Resolution<Card>> {
  const reading = readSku(text)
  if (reading === undefined) return { status: 'invalid' }
  const { canonical, others, certain } = reading
  const skus = [canonical, ...others]
  const cards = others.length === 0 ? [await lookUp(canonical)] : await Promise.all(skus.map(lookUp))
  const held = cards.flatMap((card, index) => card === undefined ? [] : [{ sku: skus[index] ?? '', card }])
  const [first, second] = held
  if (first === undefined) return { status: 'absent', canonical }
  if (second === undefined || (certain && first.sku === canonical)) return { status: 'found', ...first }
  return { status: 'ambiguous', canonical, candidates: held.map(({ sku }) => sku).sort() }
}
