import type { Transaction } from 'pantry/database'
import type { Cause } from '../../catalogue/record-changes.ts'
import { deriveCards } from './derive-cards.ts'
import { rankSources } from './precedence.ts'
import type { Projection } from '../../catalogue/projection.ts'

/**
 * Creates the temporary tables `touched` (SKUs of cards that may change) and `touched_sets` (ids of sets), and ranks
 * the sources. `run`: the current one, if any.
 */
export async function openTouched(transaction: Transaction, run: number | null): Promise<void> {
  await transaction.raw('create temp table touched (sku text primary key) on commit drop')
  await transaction.raw('create temp table touched_sets (id integer primary key) on commit drop')
  await rankSources(transaction, run)
}

/** Derives cards from new, changed or ended observations, and runs the projections for the games affected. */
export async function derive(
  transaction: Transaction,
  projections: readonly Projection[],
  cause: Cause,
  report: (fraction: number) => void
): Promise<void> {
  await deriveCards(transaction, cause, report)
  const { rows: games } = await transaction.raw<{ rows: { game: string }[] }>(`
    select game from touched_sets t join sets s using (id) union select split_part(sku, '-', 1) from touched`)
  if (games.length === 0) return
  for (const project of projections)
    await project(
      transaction,
      games.map(({ game }) => game)
    )
}
