import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import type { Pointer } from '../source/report.ts'

/** An entry of a corpus; its key is a string field. */
export type Entry = JsonObject

/** The fields of an entry that text formats (Markdown, Atom, plain text) use as title, date, text and link. */
export type Roles = Readonly<{ title?: string; date?: string; text?: string; link?: string }>

/** A corpus in one of its languages, with complete entries: what is not translated is in the default language. */
export type Translation = Readonly<{
  corpus: Corpus
  /** The members whose translation into this language is missing, by entry key. */
  untranslated: ReadonlyMap<string, readonly string[]>
  /** Keys of the entries that have at least one translated member. */
  translated: ReadonlySet<string>
}>

/** A content collection: data with a schema, without code. `E` is the entry type that a reader has declared. */
export type Corpus<E = Entry> = Readonly<{
  name: string
  title: string
  /** The field that identifies an entry. */
  key: string
  /** Fields to sort by; `-field` sorts from high to low. */
  order: readonly string[]
  /** License tier of the content. */
  license: string
  /** Where the content was authored or taken from. */
  source: string
  roles: Roles
  /** Fields that every answer includes, even if a caller selects other members of an entry. */
  keep: readonly string[]
  /** JSON Schema of one entry. */
  schema: JsonSchema
  /** In the declared order, and in the default language. */
  entries: readonly E[]
  byKey: ReadonlyMap<string, E>
  /** By language tag, the default first; present only if `corpus.yaml` declares languages. */
  translations?: ReadonlyMap<string, Translation>
}>

/** One document of `corpora/documents/`, with the schema of its schema file or the one inferred from its value. */
export type FixedDocument = Readonly<{ name: string; value: JsonObject; schema: JsonSchema }>

/** A mistake in an entry that the schema cannot express, and its place. */
export type EntryProblem = Readonly<{ pointer: Pointer; message: string; hint?: string | undefined }>

/** Returns the entries of a corpus of the same root; `undefined` if there is none or if it has mistakes. */
export type EntriesOf = (corpus: string) => readonly JsonObject[] | undefined

/**
 * Finds mistakes that the schema cannot express in an entry that matches it. `isSafePattern` tells whether a regular
 * expression runs in linear time. `E` is the type that the schema guarantees; the type is that of a method, so that a
 * check of `E` is assignable to a check of any entry.
 */
export type CorpusCheck<E = JsonObject> = Readonly<{
  check(entry: E, isSafePattern: (pattern: string) => boolean, entriesOf: EntriesOf): readonly EntryProblem[]
}>['check']

/** A `CorpusCheck`, bound to everything but the entry. */
export type CheckEntry = (entry: JsonObject) => readonly EntryProblem[]

/** The checks of a root by corpus name: the default export of its `surfaces/checks.ts`. */
export type CorpusChecks = Readonly<Record<string, CorpusCheck>>
