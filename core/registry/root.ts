import type { JsonSchema } from '../canonical/json.ts'
import type { CorpusChecks } from '../corpus/check.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import type { Compiled } from '../source/compiled.ts'
import type { DocumentExtension } from './extension.ts'

/** Name of the framework's own root. */
export const standardRoot = 'standard'

/**
 * A folder with `manifests/` and `corpora/`, and the handlers that its code gives. Code arrives as a table; this layer
 * does not import it.
 */
export type Root = Readonly<{
  name: string
  folder: string
  /** What its corpora must hold to beyond their schemas. */
  checks?: CorpusChecks
  /** What its services read of corpora, and the file that says so. */
  reads?: Readonly<{ file: string; corpora: Readonly<Record<string, JsonSchema>> }>
  handlers: ReadonlyMap<string, HandlerShape>
  /** File of each handler, as shown to people. */
  handlerFiles: ReadonlyMap<string, string>
  /** What it adds to discovery documents. */
  extensions?: readonly DocumentExtension[]
  /** What went wrong while the code was imported. */
  problems: readonly Diagnostic[]
  /** Digest of all code that reads it, where a build says so. */
  code?: string
  /** What a build made of its files with that code. */
  compiled?: Compiled
}>
