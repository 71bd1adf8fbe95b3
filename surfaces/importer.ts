import { deriveSets } from './import/writing/derive.ts'
import { deriveHashes, listCards, type Projection } from './cards/writing.ts'
import { deriveCoverage, deriveNumbers } from './coverage/coverage-store.ts'
import { deriveArtists } from './sources/artists.ts'
import { sourceForgetter } from './import/forget.ts'
import { bundledImporter, sourceImporter } from './import/import.ts'
import { deriveNames } from './cards/search/derive-names.ts'

/** All projections, in the order in which an import runs them. A new projection is added here. */
const projections: readonly Projection[] = [
  deriveSets,
  listCards,
  deriveHashes,
  deriveArtists,
  deriveCoverage,
  deriveNumbers,
  deriveNames
]

export const importSource = sourceImporter(projections)
export const importBundled = bundledImporter(importSource)
export const forgetSource = sourceForgetter(projections)
