import { SurfaceError, type PathTo } from 'pantry/data'
import { parseSku } from '../catalogue/sku.ts'
import { invalidSku } from '../errors.ts'

/** Returns the canonical SKU of a path in lower case. Throws `INVALID_SKU` for any other text. */
export function requestedSku(text: string, pathTo: PathTo): string {
  const sku = text.toLowerCase()
  if (parseSku(sku) !== undefined) return sku
  throw new SurfaceError(invalidSku, 'Write `sku` as <game>-<set>-<number>-<lang>[-<variant>].', {
    details: { field: 'sku', documented_at: pathTo('universal/encoding') }
  })
}
