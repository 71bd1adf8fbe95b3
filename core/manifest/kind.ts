import type { JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Pointer } from '../source/source-file.ts'
import type { Capability } from '../vocabulary/capabilities.ts'
import type { Content } from '../format/format.ts'
import type { Format } from '../format/index.ts'
import type { Contract } from '../vocabulary/words.ts'
import type { Context } from './context.ts'
import type { HandlerShape } from './handler-shape.ts'
import type { ManifestFile } from './manifest-file.ts'
import type { Manifest, ManifestSchema } from './schema.ts'
import type { AnswerFacts, Input, Surface } from './surface.ts'
import type { Target } from './target.ts'

/** A corpus, document or handler that a manifest names. */
export type ManifestReference = Readonly<{
  to: 'corpora' | 'documents' | 'handlers'
  name: string
  /** Place in the manifest that names it. */
  at: Pointer
  /**
   * Whether the answer is made from it. If so, the surface cannot exist without it, and its license also limits the
   * answer's.
   */
  answersWith: boolean
}>

/** The code behind a surface: its schemas, and the noun for it in messages (`what`). */
export type Code = HandlerShape & Readonly<{ what: string }>

/**
 * What the framework must know about a kind to make surfaces from its manifests. `M` is the manifest; `A` is the answer
 * that it compiles to, in which the kind stores what the manifest says. Only the kind itself reads the answer.
 * `core/kinds/kind.ts` explains how to write a kind.
 */
export type Kind<M extends Manifest = Manifest, A = unknown> = Readonly<{
  name: string
  /** One sentence: where the answer comes from. */
  meaning: string
  reaches: readonly Capability[]
  /** Closed schema of a manifest. */
  schema: ManifestSchema
  /** New names of renamed fields, by old name: a manifest with an old name gets a hint. */
  renamed?: Readonly<Record<string, string>>
  /** The content of the answers, from which formats can be made. */
  holds: readonly Content[]
  /** Returns the formats that only one surface has, because its code writes them itself. */
  ownFormats?: (file: ManifestFile<M>) => readonly Format[]
  contracts: readonly Contract[]
  /** Checks one file beyond its schema. */
  check?: (file: ManifestFile<M>) => readonly Diagnostic[]
  /** Like `check`, for what is read from the path; called only if the path has the right form. */
  checkPath?: (file: ManifestFile<M>) => readonly Diagnostic[]
  /** Checks a file against the content that it names; called only with content that exists. */
  checkFit?: (file: ManifestFile<M>, context: Context) => readonly Diagnostic[]
  /**
   * The forms that a page declares, each as the manifest of a surface. `surfaceAt` finds the surface that answers a
   * POST: a form has its rights.
   */
  formsOf?: (file: ManifestFile<M>, surfaceAt: (target: Target) => Surface | undefined) => readonly ManifestFile<M>[]
  refersTo?: (file: ManifestFile<M>) => readonly ManifestReference[]
  /**
   * Returns the code behind a surface, which declares input and output; `undefined` if there is none or it could not be
   * read.
   */
  code?: (file: ManifestFile<M>, context: Context) => Code | undefined
  answer: (file: ManifestFile<M>, context: Context) => A
  facts?: (answer: A) => Partial<AnswerFacts>
  /** Returns the input of the surface beyond the placeholders of the path. Each part replaces the default one. */
  input?: (
    given: Readonly<{ manifest: M; answer: A; placeholders: readonly string[] }>,
    context: Context
  ) => Partial<Input>
  /** Returns the schema of what the contract wraps, in the default format. Answers of the compiled source match it. */
  output?: (given: Readonly<{ answer: A; input: Input; formats: readonly Format[] }>, context: Context) => JsonSchema
}>
