import type { JsonSchema } from '../canonical/json.ts'
import type { CorpusChecks } from '../corpus/check.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import type { Compiled } from '../source/compiled.ts'
import type { DocumentExtension } from './extension.ts'

/** Name of the framework's own root. */
export const standardRoot = 'standard'

/**
 * A folder with `manifests/` and `corpora/`, and the handlers of its code. The caller passes the handlers as a table;
 * the registry does not import code.
 */
export type Root = Readonly<{
  name: string
  folder: string
  /** Checks of the root's corpora beyond their schemas. */
  checks?: CorpusChecks
  /** The corpora that the root's services read, and the file that declares this. */
  reads?: Readonly<{ file: string; corpora: Readonly<Record<string, JsonSchema>> }>
  handlers: ReadonlyMap<string, HandlerShape>
  /** The file of each handler, as displayed in messages. */
  handlerFiles: ReadonlyMap<string, string>
  /** The members that the root adds to discovery documents. */
  extensions?: readonly DocumentExtension[]
  /** Diagnostics from importing the code. */
  problems: readonly Diagnostic[]
  /** Digest of all code that reads the root, if a build recorded one. */
  code?: string
  /** What a build made from the files with that code. */
  compiled?: Compiled
}>
