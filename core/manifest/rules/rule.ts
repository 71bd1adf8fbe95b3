import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { ManifestFile } from '../manifest-file.ts'

/** What one manifest can get wrong beyond its shape. */
export type ManifestRule = (file: ManifestFile) => readonly Diagnostic[]
