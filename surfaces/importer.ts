import { deriveSets } from './import/writing/derive-sets.ts'
import { listCards } from './catalogue/list-cards.ts'
import { deriveCoverage } from './coverage/derive-coverage.ts'
import { deriveNumbers } from './coverage/derive-numbers.ts'
import { deriveArtists } from './directory/derive-artists.ts'
import { sourceForgetter } from './import/forget.ts'
import { sourceImporter } from './import/import.ts'
import { bundledImporter } from './import/import-bundled.ts'
import type { Projection } from './catalogue/projection.ts'
import { deriveNames } from './search/derive-names.ts'

/** All projections derived from cards, in execution order. New derived data is added here. */
const projections: readonly Projection[] = [
  deriveSets,
  listCards,
  deriveArtists,
  deriveCoverage,
  deriveNumbers,
  deriveNames
]

export const importSource = sourceImporter(projections)
export const importBundled = bundledImporter(importSource)
export const forgetSource = sourceForgetter(projections)
