import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Draft, DraftSurface } from '../draft.ts'

/** A check of what manifests, corpora and handlers say about each other, before surfaces can be made. */
export type ReferenceRule = (draft: Draft) => readonly Diagnostic[]

/** A check of finished surfaces. */
export type SurfaceRule = (surfaces: readonly DraftSurface[], draft: Draft) => readonly Diagnostic[]
