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
  /** Place of the name in the manifest. */
  at: Pointer
  /**
   * Whether the answer is made from the target: then there is no surface without the target, and if it is a corpus, its
   * license limits the license of the answer.
   */
  answersWith: boolean
}>

/** What the framework knows of the code behind a surface, and the noun for that code in messages (`what`). */
export type Code = HandlerShape & Readonly<{ what: string }>

/**
 * What the framework must know about a kind to make surfaces from its manifests (`M`). Only the kind itself reads the
 * answer (`A`) that a manifest compiles to. `core/kinds/kind.ts` explains how to write a kind.
 */
export type Kind<M extends Manifest = Manifest, A = unknown> = Readonly<{
  name: string
  /** One sentence: where the answer comes from. */
  meaning: string
  reaches: readonly Capability[]
  schema: ManifestSchema
  /** New names of fields, by old name. */
  renamed?: Readonly<Record<string, string>>
  /** The kinds of content of the answers. They decide which formats can be made. */
  holds: readonly Content[]
  /** Returns the formats that the code of a surface writes itself. */
  ownFormats?: (file: ManifestFile<M>) => readonly Format[]
  contracts: readonly Contract[]
  /** Checks one file beyond its schema. */
  check?: (file: ManifestFile<M>) => readonly Diagnostic[]
  /** Checks the placeholders in the field `path`. Called only if the path has the right form. */
  checkPath?: (file: ManifestFile<M>) => readonly Diagnostic[]
  /** Checks a file against the content that it names, as far as that exists. */
  checkFit?: (file: ManifestFile<M>, context: Context) => readonly Diagnostic[]
  /**
   * Returns the forms that a page declares, each as the manifest of a surface. A form has the rights of the surface
   * that answers its POST (`surfaceAt`); the page and the form may narrow its access.
   */
  formsOf?: (file: ManifestFile<M>, surfaceAt: (target: Target) => Surface | undefined) => readonly ManifestFile<M>[]
  refersTo?: (file: ManifestFile<M>) => readonly ManifestReference[]
  /** Returns the code behind a surface; `undefined` if the surface has none, or its file could not be read. */
  code?: (file: ManifestFile<M>, context: Context) => Code | undefined
  answer: (file: ManifestFile<M>, context: Context) => A
  facts?: (answer: A) => Partial<AnswerFacts>
  /** Returns parts of the input that replace the default ones. */
  input?: (
    given: Readonly<{ manifest: M; answer: A; placeholders: readonly string[] }>,
    context: Context
  ) => Partial<Input>
  /** Returns the schema of the answer in the default format, without the members that the contract adds around it. */
  output?: (given: Readonly<{ answer: A; input: Input; formats: readonly Format[] }>, context: Context) => JsonSchema
}>

/** A manifest that matches the schema of its kind. */
export type ManifestFile<M extends Manifest = Manifest> = Readonly<{
  /** Path below `manifests/`, without the ending of the file; the id of a form is made by `formId`. */
  id: string
  root: string
  source: SourceFile
  kind: Kind
  manifest: M
  /** The id of the page if this is the manifest of a form. */
  formOf?: string
}>

/** What a manifest may refer to. Files that could not be read are not in it. */
export type Context = Readonly<{
  service: Service
  corpora: ReadonlyMap<string, Corpus>
  documents: ReadonlyMap<string, FixedDocument>
  handlers: ReadonlyMap<string, HandlerShape>
  errors: Readonly<Record<string, ErrorMeaning>>
  /** Returns the schema of a discovery document with the members that the roots add to it. */
  extended: (document: string, schema: JsonSchema) => JsonSchema
}>

/** Returns a value that an earlier stage has checked to exist. Throws if it is missing, which is a bug. */
export function ensureDefined<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Not checked before it was used: ${what}.`)
  return value
}

/** Returns the corpora that code declares to read, by name. Throws if one is missing, which is a bug. */
export const declaredCorpora = (
  declared: object | undefined,
  corpora: ReadonlyMap<string, Corpus>
): Readonly<Record<string, Corpus>> =>
  Object.fromEntries(
    Object.keys(declared ?? {}).map(name => [name, ensureDefined(corpora.get(name), `corpus ${name}`)])
  )

/**
 * Whether a request that writes may or must have the header `Idempotency-Key`, and the hours for which its answer is
 * kept; default: 24.
 */
export type Idempotency = Readonly<{ key: 'optional' | 'required'; hours?: number }>

/** What the framework knows of a handler's code before a request. */
export type HandlerShape = Readonly<{
  /**
   * `derive`: computes one answer from what was loaded, without a request. `view`: makes a page from answers of other
   * surfaces. Default: `handle`, which answers each request.
   */
  form?: 'derive' | 'view'
  params?: JsonSchema
  query?: JsonSchema
  /** Returns the schemas of further query parameters, from the corpora that the handler declares. */
  queryFrom?: (corpora: Readonly<Record<string, Corpus>>) => Readonly<Record<string, JsonSchema>>
  /** Whether the code reads `rawQuery`, so that no parameter is ignored. */
  rawQuery?: true
  body?: BodyInput
  bytes?: Readonly<{ limitBytes: number }>
  /** Uploaded files beside the fields of the body, by name. */
  files?: Readonly<Record<string, FileInput>>
  /** HTTP statuses of errors that this handler may answer, beyond those that follow from input and access. */
  refuses?: readonly number[]
  idempotency?: Idempotency
  /** Whether a request that writes may or must say how the thing is that it changes (`If-Match`, `If-None-Match`). */
  precondition?: 'optional' | 'required'
  /** The schema of an entry, by the name of each corpus that the handler reads. */
  corpora?: Readonly<Record<string, JsonSchema>>
  /**
   * The entries whose members a caller may select with `fields`: the member `in` of the reply, or the reply itself. The
   * member `key` identifies an entry and is always included.
   */
  entries?: Readonly<{ in?: string; key: string }>
  /**
   * Of a page (`shows`): by name, the schema of what its view reads in the answer of each surface that it shows.
   * `besides`: the same for surfaces whose answer may be missing.
   */
  shows?: Readonly<Record<string, JsonSchema>>
  besides?: Readonly<Record<string, JsonSchema>>
  /** Of a page: the code of its forms, by name. */
  forms?: Readonly<Record<string, HandlerShape>>
  /** Of a form: the schema of what its view reads in the answer of the surface that the form sends to. */
  sent?: JsonSchema
  /**
   * Texts of the code that people read: those of a page, which its view is given in the language of the request, or the
   * messages that a handler may throw.
   */
  texts?: Readonly<Record<string, string>>
  /** Schema of the reply's `data`, or of its structural document (`mirror`). */
  reply: JsonSchema
}>

/** Returns the id of a form; the code of the form has the same id. */
export const formId = (page: string, name: string): string => `${page}#${name}`

/** Returns the id of the page of a form; any other id as it is. */
export const pageIdOf = (id: string): string => id.replace(/#.*/, '')

export const formNameOf = (id: string): string => id.replace(/.*#/, '')

/** `T`, read-only at every depth, so that code may also return read-only values. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly DeepReadonly<Item>[]
    : { readonly [Place in keyof T]: DeepReadonly<T[Place]> }
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T

/** The read-only type of the data that a schema describes. */
export type DataOf<S extends TSchema> = DeepReadonly<Static<S>>
