import type { JsonObject, JsonValue } from 'pantry/data'
import type { FieldMergedBy } from '../catalogue/card-fields.ts'
import type { Attribute } from './attribute.ts'
import type { delimiters, shapes } from './reading/shapes.ts'
import type { Encoding } from './reading/text-bytes.ts'

/** One file of a source, or several of one kind. */
export type SourceFile = Readonly<{
  /**
   * `json`, `yaml`, `xml`: a document; `table`: lines of delimited fields, the first with their names; `module`: a
   * value that a package exports. Lists in JSON and tables are read piece by piece, so their size does not matter.
   */
  shape: keyof typeof shapes
  /**
   * Relative to the folder of the source, or of `package`. `*` matches any part of one name, and so does `{word}`,
   * which expressions read as `file.word`; the files are read in the order of their names.
   */
  path: string
  /** Paths of the same kind that are left out. */
  except?: readonly string[]
  /** A package that the source's own package depends on. */
  package?: string
  /** Name of the exported value of a module. */
  export?: string
  /** Where in a JSON document the list or object with the rows is: names joined by points. */
  at?: string
  /** Elements of XML that are a list also where there is one. */
  lists?: readonly string[]
  /** The document is one row, not a list of rows. */
  single?: boolean
  /** The separator of the fields of a table; by default a comma. */
  delimiter?: keyof typeof delimiters
  /** How the text is written where that is neither UTF-8 nor UTF-16 with a byte order mark. */
  encoding?: Encoding
  /** Whether a quotation mark at the start of a field of a table encloses it (RFC 4180 §2); by default it does. */
  quotes?: boolean
  /**
   * Constants of this file; expressions read them as `file.<name>`. `file.name` is the name of the file up to its first
   * point.
   */
  set?: JsonObject
}>

/**
 * One loop over the members of an array or object, the innermost last. Without `each` it runs over the document itself.
 * `key` names the key (or position) of the member; `split` makes members of a text. Where `each` has no member, the
 * paths of `or` are tried in turn; where none has, the loop runs once over what is at `otherwise`.
 */
export type RowStep = Readonly<{
  as: string
  each?: Path
  or?: readonly Path[]
  key?: string
  split?: readonly string[]
  otherwise?: Path
}>

/** Names joined by points; as a list where a name has a point of its own. Starts at a loop. */
export type Path = string | readonly string[]

/** A side file whose rows are found by key. A key that is a list finds the row under each of its members. */
export type TableDeclaration = Readonly<{ file: SourceFile; rows: Reader['rows']; key: Expression }>

export type Transform = 'lower' | 'upper' | 'trim' | 'integer' | 'list' | 'unescape' | 'strip_tags'

/** What is done to a value after it was found, in this order; a list is treated member by member from `none` on. */
export type Modifiers = Readonly<{
  /** The expression gives a value only where another one gives one of these. */
  when?: Readonly<{ value: Expression; is: readonly JsonValue[] }>
  /** Of a list of objects, the member `take` of the first that has these members. */
  where?: JsonObject
  take?: string
  /** A text becomes a list: it is cut at each of these. */
  split?: readonly string[]
  /** Of a list one member, counted from 0, or from the end with -1. */
  item?: number
  /** Values that mean "unknown". */
  none?: readonly JsonValue[]
  /** Texts that are written another way, wherever they are within the value. */
  replace?: Readonly<Record<string, string>>
  /** A regular expression; the value becomes what its named `group` holds, or null when it does not match. */
  pattern?: string
  group?: string
  /** Values that are written another way. */
  values?: JsonObject
  transform?: readonly Transform[]
  /** How the upstream writes dates, with `D`, `M` and `Y`: the value becomes `YYYY-MM-DD`. */
  format?: string
  /** Digits that a number is filled up to with zeros. */
  pad?: number
}>

/** Where a value comes from: a path alone, or one origin with modifiers. */
export type Expression =
  | string
  | (Modifiers &
      Readonly<
        | { path: Path }
        | { use: string }
        | { const: JsonValue }
        | { join: readonly Expression[]; with: string }
        | { first: readonly Expression[] }
        | { lookup: string; key: Expression; path: Path }
      >)

export type FieldMap = Readonly<
  {
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
    attributes?: Readonly<Record<string, Expression>>
  } & Partial<Record<FieldMergedBy<'first'>, Expression>>
>

/**
 * Where a source lists its sets, also those of which it has no card. Expressions name the loops alone; a row without a
 * code is passed over.
 */
export type SetsDeclaration = Readonly<{
  files: readonly SourceFile[]
  rows: Reader['rows']
  map: Readonly<{
    game: Expression
    code: Expression
    name?: Expression
    released_on?: Expression
    declared_total?: Expression
  }>
}>

/** What a value may look like and be none. */
export const exceptedForms = ['price', 'link'] as const

/**
 * A field whose values may have a form that is otherwise never kept, such as cards that are called `$100 Bill`; each is
 * shown with its reason.
 */
export type Exception = Readonly<{
  /**
   * As the map names it: `name`, `attributes.cost`, `name_translations`; of declared sets `sets.code` or `sets.name`.
   */
  field: string
  form: (typeof exceptedForms)[number]
  /** In words. */
  reason: string
}>

/** How rows are read and which of their fields are kept. What is not mapped here does not leave the reader. */
export type Reader = Readonly<{
  files: readonly SourceFile[]
  rows: readonly [RowStep, ...RowStep[]]
  tables?: Readonly<Record<string, TableDeclaration>>
  /** Expressions by name, for `use`; each may use those above it. */
  expressions?: Readonly<Record<string, Expression>>
  /** Skips each row for which this gives no value, such as a translation that is still empty. */
  only_with?: Expression
  sets?: SetsDeclaration
  map: FieldMap
  exceptions?: readonly Exception[]
}>

/** Something an upstream asks of those who use its rows. */
export type Condition = Readonly<{
  /** In words. */
  asks: string
  /** When and how it was met, in words; without it the source is not imported. */
  met?: string
}>

/**
 * Tiers that the rows of a source may have: nothing is asserted of them, or the policy of the upstream governs. Neither
 * is a permission.
 */
export const payloadTiers = ['NOASSERTION', 'proprietary'] as const

/** One entry of the corpus `sources`; its schema says what each field means. */
export type Source = Readonly<{
  id: string
  label: string
  games: readonly string[]
  languages: readonly string[]
  upstream: Readonly<{
    name: string
    url?: string
    package?: string
    version?: string
    commit?: string
    committed_on?: string
  }>
  license: string | null
  license_statement: string
  payload_rights: (typeof payloadTiers)[number]
  source_license: string
  access: 'wired' | 'planned' | 'blocked'
  access_reason: string
  /** Where the files of a wired source are: they come as a package, or in a folder that an import names. */
  where?: 'package' | 'folder'
  conditions?: readonly Condition[]
  cadence: string
  freshness_budget_seconds: number
  reader?: Reader
  /** The declared attributes of cards, by which its values are checked; not part of the entry. */
  attributes?: readonly Attribute[]
}>
