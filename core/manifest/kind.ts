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
  /** Where the manifest names it. */
  at: Pointer
  /** The answer is made of it: without it there is no surface, and the rights of its content hold for the answer. */
  answersWith: boolean
}>

/** The code behind a surface: what sentences call it, and its schemas. */
export type Code = HandlerShape & Readonly<{ what: string }>

/** A whole answer that the manifest gives. */
export type FixedAnswer = Readonly<{
  data: JsonValue
  error?: Readonly<{ code: string; message: string; details?: JsonObject }>
  echo?: Echoes
  /** Where a redirect leads: a path of the service, or a URL. */
  location?: string
}>

/** What the rest of the framework knows of an answer without knowing its kind. */
export type AnswerFacts = Readonly<{
  /** Status of the declared answer. */
  status: number
  fixed?: FixedAnswer
  /** What is shown of a corpus, and the member that holds it: what is selected, one of that, or the entry of a key. */
  shows?: Readonly<{ corpus: string; as: 'list' | 'choice' | 'one'; member: string }>
  /** Id of the code that answers. */
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
  /** Of an endpoint for agents: ids of surfaces by the names of its tools, and paths by the names of its resources. */
  offers?: Readonly<{ tools: Readonly<Record<string, string>>; resources: Readonly<Record<string, string>> }>
  /** Whether the answer describes the surface that gives it. */
  containsSelf: boolean
  /** What clients build on beyond the schemas, by name: a change of it breaks them. */
  promises: Readonly<Record<string, JsonValue>>
}>

/**
 * What the framework must know of a kind to make surfaces of its manifests. `M` is the manifest, `A` the answer it
 * compiles to: the form in which the kind keeps what its manifest says. Only the kind itself reads either of them.
 * `core/kinds/kind.ts` says how one is built.
 */
export type Kind<M extends Manifest = Manifest, A = unknown> = Readonly<{
  name: string
  /** One sentence: where the answer comes from. */
  meaning: string
  reaches: readonly Capability[]
  /** Closed schema of a manifest. */
  schema: JsonSchema & Readonly<{ properties: Readonly<Record<string, JsonSchema>> }>
  /** Fields by the name they had before: a file that still has one is told. */
  renamed?: Readonly<Record<string, string>>
  /** What an answer holds that formats can be made of. */
  holds: readonly Content[]
  /** Formats that only one surface has, because what answers writes them itself. */
  ownFormats?: (file: ManifestFile<M>) => readonly Format[]
  contracts: readonly Contract[]
  /** What one file can get wrong beyond its shape. */
  check?: (file: ManifestFile<M>) => readonly Diagnostic[]
  /** The same for what is read from the path; asked only where the path has the right form. */
  checkPath?: (file: ManifestFile<M>) => readonly Diagnostic[]
  /** What a file can get wrong about the content it names; asked only where that exists. */
  checkFit?: (file: ManifestFile<M>, context: Context) => readonly Diagnostic[]
  /**
   * The forms that a page declares, each as the manifest of a surface. `surfaceAt` finds the surface that answers a
   * POST: a form has its rights.
   */
  formsOf?: (file: ManifestFile<M>, surfaceAt: (target: Target) => Surface | undefined) => readonly ManifestFile<M>[]
  refersTo?: (file: ManifestFile<M>) => readonly ManifestReference[]
  /**
   * The code behind a surface, where there is some: it declares input and output. `undefined` when it could not be
   * read.
   */
  code?: (file: ManifestFile<M>, context: Context) => Code | undefined
  answer: (file: ManifestFile<M>, context: Context) => A
  facts?: (answer: A) => Partial<AnswerFacts>
  /** What is read beyond the placeholders of the path. Each part replaces the usual one. */
  input?: (
    given: Readonly<{ manifest: M; answer: A; placeholders: readonly string[] }>,
    context: Context
  ) => Partial<Input>
  /** Schema of what the contract wraps, in the default format: a promise that the compiled source keeps. */
  output?: (given: Readonly<{ answer: A; input: Input; formats: readonly Format[] }>, context: Context) => JsonSchema
}>
