import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Draft, DraftSurface } from '../draft.ts'

/** Checks what manifests, corpora and handlers say about each other, before the surfaces are made. */
export type ReferenceRule = (draft: Draft) => readonly Diagnostic[]

/** Checks finished surfaces. */
export type SurfaceRule = (surfaces: readonly DraftSurface[], draft: Draft) => readonly Diagnostic[]
