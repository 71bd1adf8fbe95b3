import type { JsonSchema, JsonValue, JsonObject } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Pointer } from '../source/source-file.ts'
import type { Capability } from '../vocabulary/capabilities.ts'
import type { Content } from '../format/format.ts'
import type { Format } from '../format/index.ts'
import type { Contract } from '../vocabulary/words.ts'
import type { Context } from './context.ts'
import type { Echoes } from './echo.ts'
import type { HandlerShape } from './handler-shape.ts'
import type { ManifestFile } from './manifest-file.ts'
import type { Manifest } from './schema.ts'
import type { Input, Surface } from './surface.ts'
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

/** An answer that is written completely in the manifest. */
export type FixedAnswer = Readonly<{
  data: JsonValue
  error?: Readonly<{ code: string; message: string; details?: JsonObject }>
  echo?: Echoes
  /** Target of a redirect: a path of the service, or a URL. */
  location?: string
}>

/** What the rest of the framework knows about an answer without knowing its kind. */
export type AnswerFacts = Readonly<{
  /** Status of the declared answer. */
  status: number
  fixed?: FixedAnswer
  /**
   * The corpus that the answer shows, and the member of `data` that holds the content: the selected entries (`list`),
   * one of them (`choice`), or the entry with a requested key (`one`).
   */
  shows?: Readonly<{ corpus: string; as: 'list' | 'choice' | 'one'; member: string }>
  /** Id of the handler that answers. */
  code?: string
  /** The discovery document that is served. */
  serves?: string
  /**
   * Of a page: the requests whose answers it shows, and its entry in the menu. Of a form: where it is sent.
   */
  page?: Readonly<{
    shows: readonly Target[]
    besides: readonly Target[]
    sends?: Target
    menu?: Readonly<{ label: string; place: number }>
  }>
  /** For an MCP endpoint: surface ids by tool name, and paths by resource name. */
  offers?: Readonly<{ tools: Readonly<Record<string, string>>; resources: Readonly<Record<string, string>> }>
  /** Whether the answer describes the surface that gives it. */
  containsSelf: boolean
  /** Further facts that clients rely on beyond the schemas, by name. Changing one breaks clients. */
  promises: Readonly<Record<string, JsonValue>>
}>

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
  schema: JsonSchema & Readonly<{ properties: Readonly<Record<string, JsonSchema>> }>
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
