import { notFound, type SurfaceError } from 'pantry/data'
import { paths } from './links.ts'
import { readSku } from './legacy-sku.ts'

/** Refuses a SKU that is not held. `canonical_sku` is how an older form of one is written here, or null when the text is no SKU. */
export const missingCard = (asked: string): SurfaceError => notFound('card', asked, {
  field: 'sku',
  sku: asked.toLowerCase(),
  canonical_sku: readSku(asked)?.canonical ?? null,
  form: '<game>-<set>-<number>-<lang>[-<variant>]',
  documented_at: paths.encoding
})
