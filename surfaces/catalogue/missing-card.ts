import { notFound, SurfaceError, type JsonObject } from 'pantry/data'
import type { CardHistory } from './card-history.ts'
import { paths } from './links.ts'
import { readSku } from './legacy-sku.ts'
import { sentenceOf, withdrawnBody } from './withdrawal.ts'

/**
 * Returns the NOT_FOUND error for a SKU that does not exist. `canonical_sku` is the canonical form of the SKU, or null
 * when the text is no SKU; `withdrawn` says when and why a former card was withdrawn, or is null.
 */
export async function missingCard(asked: string, history: Pick<CardHistory, 'withdrawal'>): Promise<SurfaceError> {
  const canonical = readSku(asked)?.canonical ?? null
  const details = (withdrawn: JsonObject | null): JsonObject => ({
    field: 'sku',
    sku: asked.toLowerCase(),
    canonical_sku: canonical,
    form: '<game>-<set>-<number>-<lang>[-<variant>]',
    documented_at: paths.encoding,
    withdrawn
  })
  const withdrawal = canonical === null ? undefined : await history.withdrawal(canonical)
  if (withdrawal === undefined) return notFound('card', asked, details(null))
  return new SurfaceError('NOT_FOUND', sentenceOf(withdrawal), { details: details(withdrawnBody(withdrawal)) })
}
