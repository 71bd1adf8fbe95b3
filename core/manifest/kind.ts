import type { Static, TSchema } from 'typebox'
import type { JsonSchema } from '../canonical/json.ts'
import type { Corpus, FixedDocument } from '../corpus/corpus.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Content } from '../format/format.ts'
import type { Format } from '../format/index.ts'
import type { Pointer, SourceFile } from '../source/report.ts'
import type { ErrorMeaning } from '../vocabulary/error-codes.ts'
import type { Capability, Contract } from '../vocabulary/words.ts'
import type { Manifest, ManifestSchema } from './manifest.ts'
import type { Target } from './paths.ts'
import type { Service } from './service.ts'
import type { AnswerFacts, BodyInput, FileInput, Input, Surface } from './surface.ts'

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

/** A manifest that matches the schema of its kind, with the file that it was read from. */
export type ManifestFile<M extends Manifest = Manifest> = Readonly<{
  /** Path below `manifests/` without the ending. */
  id: string
  /** Name of the root that the manifest belongs to. */
  root: string
  source: SourceFile
  kind: Kind
  manifest: M
  /** Of a form: the id of the page whose manifest declares it. */
  formOf?: string
}>

/** What a manifest may refer to. The registry has checked that the target of each reference exists. */
export type Context = Readonly<{
  service: Service
  corpora: ReadonlyMap<string, Corpus>
  documents: ReadonlyMap<string, FixedDocument>
  handlers: ReadonlyMap<string, HandlerShape>
  /** Every error code that an answer may have. */
  errors: Readonly<Record<string, ErrorMeaning>>
  /** Returns the schema of a discovery document with the members that the roots add to it. */
  extended: (document: string, schema: JsonSchema) => JsonSchema
}>

/**
 * Returns a value that an earlier stage has checked to exist. Throws if it is missing, because that is a bug in the
 * program, not an error of a contributor.
 */
export function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Not checked before it was used: ${what}.`)
  return value
}

/** Returns the corpora that code declares, by name. The registry has checked that they exist and match. */
export const declaredCorpora = (
  declared: object | undefined,
  corpora: ReadonlyMap<string, Corpus>
): Readonly<Record<string, Corpus>> =>
  Object.fromEntries(Object.keys(declared ?? {}).map(name => [name, known(corpora.get(name), `corpus ${name}`)]))

/** What the framework knows of a handler's code before a request: mostly its schemas. */
export type HandlerShape = Readonly<{
  /**
   * `derive`: computes one answer from what was loaded, without a request or services. `view`: writes a page from the
   * answers of other surfaces. Default `handle`.
   */
  form?: 'derive' | 'view'
  params?: JsonSchema
  query?: JsonSchema
  /** Returns the schemas of further query parameters, by name, derived from the corpora that the handler declares. */
  queryFrom?: (corpora: Readonly<Record<string, Corpus>>) => Readonly<Record<string, JsonSchema>>
  body?: BodyInput
  bytes?: Readonly<{ limitBytes: number }>
  /** Uploaded files sent with the fields of the body, by name. */
  files?: Readonly<Record<string, FileInput>>
  /** Further error statuses of the handler that do not follow from its input and access. */
  refuses?: readonly number[]
  /** The corpora that the handler reads: the schema of an entry, by corpus name. */
  corpora?: Readonly<Record<string, JsonSchema>>
  /**
   * The entries whose members a caller may select with `fields`: the list in the reply's member `in`, or without `in`
   * the reply itself. `key` is the member that identifies an entry and is always included.
   */
  entries?: Readonly<{ in?: string; key: string }>
  /**
   * For a view: what it reads of the surfaces that its page shows (`shows`) and of optional ones (`besides`), by name.
   */
  shows?: Readonly<Record<string, JsonSchema>>
  besides?: Readonly<Record<string, JsonSchema>>
  /** Of a page: the code of its forms, by name. */
  forms?: Readonly<Record<string, HandlerShape>>
  /** Of a form, whose fields are its body: what its view reads of the surface that it is sent to. */
  sent?: JsonSchema
  /** Schema of the reply's `data`. */
  reply: JsonSchema
}>

/** The id of a form, and of its code: that of its page, and its name. */
export const formId = (page: string, name: string): string => `${page}#${name}`

/** The id of the page that a form belongs to; any other id as it is. */
export const pageIdOf = (id: string): string => id.replace(/#.*/, '')

/** The name of a form in its page. */
export const formNameOf = (id: string): string => id.replace(/.*#/, '')

/** `T` with every object and array read-only, at every depth, so that read-only values of code can be sent as well. */
export type Served<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly Served<Item>[]
    : { readonly [Place in keyof T]: Served<T[Place]> }
  : T extends object
    ? { readonly [Name in keyof T]: Served<T[Name]> }
    : T

/** The type of the data that a schema describes, with everything read-only. */
export type DataOf<S extends TSchema> = Served<Static<S>>
