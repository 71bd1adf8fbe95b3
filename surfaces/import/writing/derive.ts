import type { Transaction } from 'pantry/database'
import type { Cause } from '../../catalogue/record-changes.ts'
import { deriveCards } from './derive-cards.ts'
import { rankSources } from './precedence.ts'
import type { Projection } from '../projection.ts'

/**
 * Makes the temporary tables of what may have to change: `touched` (SKUs of cards) and `touched_sets` (ids of sets),
 * and who speaks first. `run`: the one under way, if any.
 */
export async function openTouched(transaction: Transaction, run: number | null): Promise<void> {
  await transaction.raw('create temp table touched (sku text primary key) on commit drop')
  await transaction.raw('create temp table touched_sets (id integer primary key) on commit drop')
  await rankSources(transaction, run)
}

/** Derives what follows from new, changed or ended observations. */
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
