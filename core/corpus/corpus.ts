import type { JsonObject, JsonSchema } from '../canonical/json.ts'

/** An entry of a corpus; its key is a string field. */
export type Entry = JsonObject

/** Which fields of an entry a text rendering (Markdown, Atom, plain text) shows as what. */
export type Roles = Readonly<{ title?: string; date?: string; text?: string; link?: string }>

/**
 * A corpus in one of its languages: whole entries, with the members of the default language where this one does not
 * have them.
 */
export type Translation = Readonly<{
  corpus: Corpus
  /** By key: the members of the default language that an entry has, because this language does not have them. */
  untranslated: ReadonlyMap<string, readonly string[]>
  /** Keys of the entries that have a member in this language. */
  translated: ReadonlySet<string>
}>

/** A content collection: data with a schema, never code. `E` is what a reader has declared of an entry. */
export type Corpus<E = Entry> = Readonly<{
  name: string
  title: string
  /** The field that names an entry. */
  key: string
  /** Fields to sort by; `-field` sorts from high to low. */
  order: readonly string[]
  /** License tier of the content. */
  license: string
  /** Where the content was authored or taken from. */
  source: string
  roles: Roles
  /** Fields that every answer shows, whatever members of an entry a caller chooses. */
  keep: readonly string[]
  /** JSON Schema of one entry. */
  schema: JsonSchema
  /** In declared order. */
  entries: readonly E[]
  byKey: ReadonlyMap<string, E>
  /**
   * By language tag, the default first: only where `corpus.yaml` declares languages. The entries above are those of the
   * default.
   */
  translations?: ReadonlyMap<string, Translation>
}>
