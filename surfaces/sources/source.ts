import type { JsonObject, JsonValue } from '../../core/canonical/json.ts'

/** One file of a source. */
export type SourceFile = Readonly<{
  /** `json`: one JSON document. `module`: a value that a package exports. */
  shape: 'json' | 'module'
  /** Relative to the folder of the source, or of `package`. */
  path: string
  /** A package that the source's own package depends on. */
  package?: string
  /** Name of the exported value of a module. */
  export?: string
  /** Constants of this file; expressions read them as `file.<name>`. */
  set?: JsonObject
}>

/** One loop over the members of an array or object, the innermost last. Without `each` it runs over the document itself. */
export type RowStep = Readonly<{ as: string, each?: string }>

/** A side file whose rows are found by key. A key that is a list finds the row under each of its members. */
export type TableDeclaration = Readonly<{ file: SourceFile, rows: readonly RowStep[], key: Expression }>

export type Transform = 'lower' | 'upper' | 'trim' | 'integer' | 'list'

/** What is done to a value after it was found, in this order; a list is treated member by member. */
export type Modifiers = Readonly<{
  /** Values that mean nothing is known. */
  none?: readonly JsonValue[]
  /** A regular expression; the value becomes what its named `group` holds, or null when it does not match. */
  pattern?: string
  group?: string
  /** Values that are written another way. */
  values?: JsonObject
  transform?: readonly Transform[]
}>

/** Where a value comes from: a path alone, or one origin with modifiers. */
export type Expression = string | (Modifiers & Readonly<
  | { path: string }
  | { const: JsonValue }
  | { join: readonly Expression[], with: string }
  | { first: readonly Expression[] }
  | { lookup: string, key: Expression, path: string }
>)

export type FieldMap = Readonly<{
  native_id: Expression
  game: Expression
  set_code: Expression
  set_name?: Expression
  set_name_translations?: Expression | Readonly<{ languages: Readonly<Record<string, Expression>> }>
  released_on?: Expression
  declared_total?: Expression
  number: Expression
  sku_number?: Expression
  name?: Expression
  /** Language of `name`; without it, that of the printing. */
  name_lang?: Expression
  name_translations?: Expression | Readonly<{ languages: Readonly<Record<string, Expression>> }>
  lang: Expression
  variant?: Expression
  rarity?: Expression
  illustrators?: Expression
  attributes?: Readonly<Record<string, Expression>>
}>

/** How rows are read and which of their fields are kept. What is not mapped here does not leave the reader. */
export type Reader = Readonly<{
  files: readonly SourceFile[]
  rows: readonly [RowStep, ...RowStep[]]
  tables?: Readonly<Record<string, TableDeclaration>>
  map: FieldMap
}>

/** One entry of the corpus `sources`; its schema says what each field means. */
export type Source = Readonly<{
  id: string
  label: string
  games: readonly string[]
  languages: readonly string[]
  upstream: Readonly<{ name: string, url: string, package?: string, version?: string }>
  license: string | null
  license_statement: string
  payload_rights: 'NOASSERTION'
  source_license: string
  access: 'wired' | 'planned' | 'blocked'
  access_reason: string
  cadence: string
  freshness_budget_seconds: number
  reader?: Reader
}>
