import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import { report } from '../../source/report.ts'
import type { Pointer, SourceFile } from '../../source/source-file.ts'
import type { DiagnosticCode } from '../../diagnostics/catalog.ts'
import type { Draft, DraftSurface } from '../draft.ts'

/** Checks what manifests, corpora and handlers say about each other, before the surfaces are made. */
export type ReferenceRule = (draft: Draft) => readonly Diagnostic[]

/** Checks finished surfaces. */
export type SurfaceRule = (surfaces: readonly DraftSurface[], draft: Draft) => readonly Diagnostic[]

/** Reports a name that none of the known things has. `noun` says what it should name. */
export const reportUnknown = (
  source: SourceFile,
  code: DiagnosticCode,
  pointer: Pointer,
  noun: string,
  name: string,
  known: Iterable<string>,
  otherwise?: string
): Diagnostic =>
  report(source, code, pointer, `There is no ${noun} \`${name}\`.`, { hint: suggestion(name, [...known]) ?? otherwise })
