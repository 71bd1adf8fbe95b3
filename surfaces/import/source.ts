import type { JsonObject, JsonValue } from 'pantry/data'
import type { Attribute } from '../cards/attributes.ts'
import type { FieldMergedBy } from '../cards/card-fields.ts'
import type { RegisteredSource } from '../cards/registered-source.ts'

/**
 * The encoding that a declaration states for a file that is not UTF-8. UTF-16 need not be stated: its byte order mark
 * identifies it (RFC 2781 §3.2).
 */
export type StatedEncoding = 'windows-1252'

/** One file of a source, or several files of one kind. */
export type FileOfSource = Readonly<{
  /**
   * `json`, `yaml`, `xml`: a document; YAML of several documents is the list of them; `json-lines`: a value in each
   * line; `table`: lines of delimited fields, of which the first line names the fields; `module`: a value that a
   * package exports; `literals`: a value that a module of TypeScript or JavaScript exports, of which nothing is run;
   * `sqlite`: a table of a database; `xlsx`: a sheet of a workbook. JSON that is not `single`, lines and tables are
   * streamed, so their size does not matter. A text that is compressed with gzip is read as what is in it.
   */
  shape: 'json' | 'json-lines' | 'yaml' | 'xml' | 'table' | 'module' | 'literals' | 'sqlite' | 'xlsx'
  /**
   * The path relative to the folder of the source, or of `package`. `*` matches any part of one name, and so does
   * `{word}`, which expressions read as `file.word`. Files are read in the order of their names.
   */
  path: string
  /** Paths, which may have wildcards too, of files that `path` matches but that are left out. */
  except?: readonly string[]
  /** The name of a package that the source's own package depends on. */
  package?: string
  /** The name of the export of a module; `default` if none is given, or the only one that literals have. */
  export?: string
  /** The path of the list or object with the rows in a document: names joined by dots. */
  at?: string
  /** XML elements that become a list even when there is only one. */
  lists?: readonly string[]
  /** Whether the document is one row instead of a list of rows. */
  single?: boolean
  /** The table or view of a database, or the sheet of a workbook, if there are several. */
  table?: string
  /** The field delimiter of a table; a comma by default. */
  delimiter?: 'comma' | 'semicolon' | 'tab'
  /** The encoding of a file that is neither UTF-8 nor UTF-16 with a byte order mark. */
  encoding?: StatedEncoding
  /** Whether a quotation mark at the start of a table field encloses the field (RFC 4180 §2); true by default. */
  quotes?: boolean
  /**
   * Constants for this file, which expressions read as `file.<name>`. `file.name` is the file name up to its first dot.
   */
  set?: JsonObject
}>

/**
 * One loop over the members of an array or object; later steps are nested in earlier ones. The outermost step has no
 * `each` and runs over the document. `key` names the variable for the key or position; `split` splits a text into
 * members. If `each` has no members, the paths in `or` are tried in turn; if none has any, the loop runs once over the
 * value at `otherwise`.
 */
export type RowStep = Readonly<{
  as: string
  each?: MemberPath
  or?: readonly MemberPath[]
  key?: string
  split?: readonly string[]
  otherwise?: MemberPath
}>

/** Names joined by dots, or a list of names if one contains a dot. The first name is a variable of a loop or `file`. */
export type MemberPath = string | readonly string[]

/** A lookup table: a file whose rows are found by key. A key that is a list finds the row under each of its members. */
export type TableDeclaration = Readonly<{ file: FileOfSource; rows: SourceReader['rows']; key: Expression }>

export type Transform = 'lower' | 'upper' | 'trim' | 'integer' | 'list' | 'unescape' | 'strip_tags'

/**
 * Changes applied to the value of an expression in the order of these members; from `none` on, they apply to each
 * member of a list.
 */
export type Modifiers = Readonly<{
  /** The expression has a value only if `value` is one of `is`. */
  when?: Readonly<{ value: Expression; is: readonly JsonValue[] }>
  /** In a list of objects, selects the first with these members and returns its member `take`. */
  where?: JsonObject
  take?: string
  /** Separators at which a text is split into a list. */
  split?: readonly string[]
  /** The index of the list member to take: from 0, or from the end with -1. */
  item?: number
  /** Values that mean "unknown"; they become null. */
  none?: readonly JsonValue[]
  /** Substrings to replace, and their replacements. */
  replace?: Readonly<Record<string, string>>
  /** A regular expression; the value becomes the match of its named `group`, or null when there is no match. */
  pattern?: string
  group?: string
  /** Whole values to replace, and their replacements. */
  values?: JsonObject
  transform?: readonly Transform[]
  /** The upstream's date format, written with `D`, `M` and `Y`; the value becomes `YYYY-MM-DD`. */
  format?: string
  /** The number of digits to which a number is padded with zeros. */
  pad?: number
}>

/** Where a value is read from: a path, or one origin with modifiers. */
export type Expression =
  | string
  | (Modifiers &
      Readonly<
        | { path: MemberPath }
        | { use: string }
        | { const: JsonValue }
        | { join: readonly Expression[]; with: string }
        | { first: readonly Expression[] }
        | { lookup: string; key: Expression; path: MemberPath }
      >)

/** One face of a card; it is there where it has a name or an attribute. */
type FaceMap = Readonly<{ side?: Expression; name?: Expression; attributes?: Readonly<Record<string, Expression>> }>

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
    /** The language of `name`; by default the language of the printing. */
    name_lang?: Expression
    name_translations?: Expression | Readonly<{ languages: Readonly<Record<string, Expression>> }>
    lang: Expression
    variant?: Expression
    attributes?: Readonly<Record<string, Expression>>
    /** The product of the printing; without a name and a code there is none. */
    printed_in?: Readonly<{ kind: Expression; name?: Expression; code?: Expression }>
    /** The faces of a card that has several; one that has fewer than two has none. */
    faces?: readonly FaceMap[]
  } & Partial<Record<Exclude<FieldMergedBy<'first'>, 'printed_in' | 'faces'>, Expression>>
>

/**
 * Where a source lists its sets, including those for which it has no cards. Its expressions can refer only to the loops
 * and `file`. A row without a game or code is skipped.
 */
export type SetsDeclaration = Readonly<{
  files: readonly FileOfSource[]
  rows: SourceReader['rows']
  map: Readonly<{
    game: Expression
    code: Expression
    name?: Expression
    released_on?: Expression
    declared_total?: Expression
  }>
}>

/** The forms for which a source may declare exceptions. */
export const exceptedForms = ['price', 'link'] as const

/**
 * An exception for a field whose values may look like something never stored, such as cards named `$100 Bill`.
 * Documents about the source show the exception with its reason.
 */
export type Exception = Readonly<{
  /**
   * The name of the field in the map: `name`, `attributes.cost`, `name_translations`; for declared sets `sets.code` or
   * `sets.name`.
   */
  field: string
  form: (typeof exceptedForms)[number]
  /** Prose that explains the exception. */
  reason: string
}>

/**
 * How the rows of a source are read and which of their fields are stored. Fields of rows that `map` does not name are
 * dropped.
 */
export type SourceReader = Readonly<{
  files: readonly FileOfSource[]
  rows: readonly [RowStep, ...RowStep[]]
  tables?: Readonly<Record<string, TableDeclaration>>
  /** Named expressions for `use`; each may use those above it. */
  expressions?: Readonly<Record<string, Expression>>
  /** Skips each row for which this expression is null, such as a translation that is still empty. */
  only_with?: Expression
  sets?: SetsDeclaration
  map: FieldMap
  exceptions?: readonly Exception[]
}>

/** One entry of the corpus `sources`: the source, and how its files are read. */
export type Source = RegisteredSource &
  Readonly<{
    reader?: SourceReader
    /** The declared attributes of cards, against which values are checked; not part of the entry. */
    attributes?: readonly Attribute[]
  }>

/** Members that every source must have, either in its own entry or from a policy. */
const stated = [
  'license',
  'license_statement',
  'payload_rights',
  'source_license',
  'access',
  'access_reason',
  'cadence',
  'freshness_budget_seconds'
] as const

/** An entry of the corpus `sources`, in which members may be left to policies. */
export type DeclaredSource = Omit<Source, (typeof stated)[number] | 'attributes'> &
  Partial<Source> &
  Readonly<{ policies?: readonly string[] }>

/**
 * Adds to a source the members of the policies that it names; a later policy overrides an earlier one, and the members
 * of the source itself override both. Also returns the members that are still missing and the policy names that do not
 * exist.
 */
export function withPolicies(
  { policies: names = [], ...own }: DeclaredSource,
  policies: readonly JsonObject[]
): Readonly<{ source: Source; missing: readonly string[]; unknown: readonly string[] }> {
  const byId = new Map(
    policies.map(policy => [policy['id'], Object.entries(policy).filter(([member]) => member !== 'meaning')])
  )
  const source: Partial<Source> = { ...Object.fromEntries(names.flatMap(name => byId.get(name) ?? [])), ...own }
  return {
    source: source as Source,
    missing: stated.filter(member => source[member] === undefined),
    unknown: names.filter(name => !byId.has(name))
  }
}

/**
 * Returns the reason why a source may not be imported now, or `undefined`. `conditionsMet`: the operator states that
 * the upstream's conditions are met.
 */
export function refusalOf(
  { id, access, access_reason: reason, reader, conditions = [] }: Source,
  conditionsMet: boolean
): string | undefined {
  if (access !== 'wired' || reader === undefined)
    return `Source \`${id}\` is not imported: its access is \`${access}\`. ${reason}`
  const open = conditionsMet ? undefined : conditions.find(({ met }) => met === undefined)
  return open === undefined
    ? undefined
    : `Source \`${id}\` is not imported while a condition of its upstream is open: ${open.asks}`
}
