import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import { propertiesOf, valueSchema } from '../schema/json-schema.ts'
import type { Pointer } from '../source/report.ts'

/** An entry of a corpus. Its key is a string field; that of a row may be an integer. */
export type Entry = JsonObject

/**
 * The table or view of the database whose rows are the entries of a corpus. `search`: the column with the words to
 * search (`tsvector`), and the text search configuration that made it.
 */
export type Table = Readonly<{ name: string; search?: Readonly<{ column: string; language: string }> }>

/** The fields of an entry that HTML, Markdown and Atom show as title, date and text, and Atom as link. */
export type Roles = Readonly<{ title?: string; date?: string; text?: string; link?: string }>

/** A corpus in one of its languages, with complete entries: what is not translated is in the default language. */
export type Translation = Readonly<{
  corpus: Corpus
  /** Names of the members whose translation into this language is missing, by entry key. */
  untranslated: ReadonlyMap<string, readonly string[]>
  /** Keys of the entries that have at least one translated member. */
  translated: ReadonlySet<string>
}>

/** A corpus: entries with a JSON Schema, without code. `E` is the type of an entry that the reading code declares. */
export type Corpus<E = Entry> = Readonly<{
  name: string
  title: string
  /** The field that identifies an entry. */
  key: string
  /** Fields to sort by; `-field` sorts from high to low. */
  order: readonly string[]
  /** License tier of the content, as `service.yaml` names it. */
  license: string
  /** Where the content was authored or taken from. */
  source: string
  roles: Roles
  /** Fields that every answer includes, even if a caller selects other members of an entry. */
  keep: readonly string[]
  /** JSON Schema of one entry. */
  schema: JsonSchema
  /** If the entries are rows of a table: `entries` and `byKey` are then empty. */
  table?: Table
  /** Sorted by `order`, in the default language; in a `Translation`, in its language. */
  entries: readonly E[]
  byKey: ReadonlyMap<string, E>
  /** The corpus in each language, by tag, the default first; only if `corpus.yaml` declares languages. */
  translations?: ReadonlyMap<string, Translation>
}>

/** A field of an entry that holds the key of an entry of a corpus, or a list of keys (`x-corpus`). */
type ReferredField = Readonly<{ field: string; corpus: string; isList: boolean }>

export const referredFields = (schema: JsonSchema): readonly ReferredField[] =>
  Object.entries(propertiesOf(schema)).flatMap(([field, member]) => {
    const value = valueSchema(member)
    const corpus = value['x-corpus']
    return typeof corpus === 'string' ? [{ field, corpus, isList: value !== member }] : []
  })

/** One document of `corpora/documents/`, with the schema of its schema file or the one inferred from its value. */
export type FixedDocument = Readonly<{ name: string; value: JsonObject; schema: JsonSchema }>

/** A mistake in an entry that the JSON Schema cannot express. `pointer` is its place within the entry. */
export type EntryProblem = Readonly<{ pointer: Pointer; message: string; hint?: string | undefined }>

/** Returns the entries of a corpus of the same root by its name; `undefined` if there is none or it has mistakes. */
export type EntriesOf = (corpus: string) => readonly JsonObject[] | undefined

/**
 * Returns the mistakes that the JSON Schema cannot express, in an entry that matches it. `isSafePattern`: whether a
 * regular expression is known to run in linear time. `E` is the type that the schema guarantees. The function has the
 * type of a method, so that TypeScript accepts a check of `E` as a check of any entry.
 */
export type CorpusCheck<E = JsonObject> = Readonly<{
  check(entry: E, isSafePattern: (pattern: string) => boolean, entriesOf: EntriesOf): readonly EntryProblem[]
}>['check']

/** A `CorpusCheck` whose `isSafePattern` and `entriesOf` are bound. */
export type CheckEntry = (entry: JsonObject) => readonly EntryProblem[]

/** The checks of a root by corpus name: the default export of its `surfaces/checks.ts`. */
export type CorpusChecks = Readonly<Record<string, CorpusCheck>>
