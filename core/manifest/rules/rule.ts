import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { ManifestFile } from '../manifest-file.ts'

/** Checks one manifest beyond its schema. */
export type ManifestRule = (file: ManifestFile) => readonly Diagnostic[]
