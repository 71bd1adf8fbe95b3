import type { JsonObject, JsonSchema } from '../canonical/json.ts'

/** An entry of a corpus; its key is a string field. */
export type Entry = JsonObject

/** The fields of an entry that text formats (Markdown, Atom, plain text) use as title, date, text and link. */
export type Roles = Readonly<{ title?: string; date?: string; text?: string; link?: string }>

/**
 * A corpus in one of its languages, with complete entries: members that are not translated have the text of the default
 * language.
 */
export type Translation = Readonly<{
  corpus: Corpus
  /** By entry key: the members that are in the default language because they are not translated. */
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
  /** Sorted in declared order. */
  entries: readonly E[]
  byKey: ReadonlyMap<string, E>
  /**
   * By language tag, the default first; present only if `corpus.yaml` declares languages. `entries` above is in the
   * default language.
   */
  translations?: ReadonlyMap<string, Translation>
}>
