import type { DataOf } from 'pantry/data'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { RegisteredSource } from '../catalogue/registered-source.ts'
import { priceStates } from '../sources/price-states.ts'
import type { SourceStates } from './schemas.ts'

/** Returns what each source states about the price of a card, and whether it is one of the card's `observers`. */
export async function sourceStates(
  catalogue: Pick<Catalogue, 'isObserved'>,
  sources: ReadonlyMap<string, RegisteredSource>,
  game: string,
  observers: readonly string[]
): Promise<DataOf<typeof SourceStates>> {
  const states = await priceStates(catalogue, sources, game)
  return states.map(({ source: { id, label }, ...state }) => ({
    id,
    name: label,
    ...state,
    observed_this_card: observers.includes(id)
  }))
}
