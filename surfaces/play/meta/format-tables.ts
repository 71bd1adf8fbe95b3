import type { DeckFormat } from '../deck/legality.ts'
import type { Starter } from '../practice/starters.ts'
import { archetypeOf, type Archetype } from './archetypes.ts'
import { legalPool, tablesOf, type PoolCard, type MetaTable } from './tables.ts'

/** Everything that is computed for one format. */
type FormatTables = Readonly<{
  format: DeckFormat
  legal_pool: Readonly<{ cards: number; leaders: number }>
  tables: readonly MetaTable[]
  archetypes: readonly Archetype[]
}>

type Kept = Readonly<{ formats: readonly DeckFormat[]; starters: readonly Starter[]; made: readonly FormatTables[] }>
const kept = new WeakMap<readonly PoolCard[], Kept>()

/** Returns the tables of each format, in the order of the formats. They are cached per card pool. */
export function formatTables(
  pool: readonly PoolCard[],
  formats: readonly DeckFormat[],
  starters: readonly Starter[]
): readonly FormatTables[] {
  const before = kept.get(pool)
  if (before?.formats === formats && before.starters === starters) return before.made
  const cards = new Map(pool.map(card => [card.number, card]))
  const made = formats.map((format): FormatTables => {
    const legal = legalPool(pool, format)
    return {
      format,
      legal_pool: { cards: legal.length, leaders: legal.filter(({ category }) => category === 'leader').length },
      tables: tablesOf(pool, format),
      archetypes: starters.map(starter => archetypeOf(starter, format, cards))
    }
  })
  kept.set(pool, { formats, starters, made })
  return made
}
