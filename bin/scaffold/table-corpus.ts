import type { JsonSchema } from '../../core/canonical/json.ts'
import type { Corpus } from '../../core/corpus/corpus.ts'
import { tableNamePattern } from '../../core/corpus/declaration.ts'
import { firstOf, schemaOfType, type DescribedTable } from '../../core/database/tables/describe.ts'
import { humanise } from '../../core/format/format.ts'
import { propertiesOf } from '../../core/schema/json-schema.ts'
import { templateTexts } from '../../core/vocabulary/template-texts.ts'
import { UsageError } from '../config.ts'

/** Names of columns that can be properties of a corpus. */
const servedName = /^[A-Za-z_][A-Za-z0-9_]{0,59}$/

/** PostgreSQL cuts off what is longer, without an error. */
const longestName = 63

/** Throws a UsageError unless a text is the name of a table, with its schema before a dot or without. */
export function requireTableName(table: string): void {
  if (!new RegExp(tableNamePattern).test(table))
    throw new UsageError(`The table must be a name such as \`places\` or \`geo.places\`, but it is \`${table}\`.`)
  const long = table.split('.').find(name => name.length > longestName)
  if (long !== undefined)
    throw new UsageError(`\`${long}\` is longer than ${longestName} characters, the most of a name.`)
}

const titleNames = ['name', 'title', 'label']

type Property = readonly [name: string, schema: JsonSchema]

/** The properties that a table gives, and the columns that are not served, each with the reason. */
type TableColumns = Readonly<{ properties: readonly Property[]; left: readonly string[] }>

/**
 * `corpora`: the columns whose foreign key leads to the key of a corpus, each with that corpus. `tables`: the columns
 * whose foreign key leads to a table that is no corpus, each with that table.
 */
type TableReferences = Readonly<{ corpora: ReadonlyMap<string, string>; tables: ReadonlyMap<string, string> }>

/** Compares the foreign keys of a table with the tables that are corpora. */
export function referencesOf(
  { foreignKeys }: DescribedTable,
  known: readonly Pick<Corpus, 'name' | 'key' | 'table'>[]
): TableReferences {
  const corpora = new Map<string, string>()
  const tables = new Map<string, string>()
  for (const { column, key, tables: names } of foreignKeys) {
    const same = known.filter(({ table }) => names.includes(table?.name ?? ''))
    const corpus = same.find(one => one.key === key)
    if (corpus !== undefined) corpora.set(column, corpus.name)
    else if (same.length === 0) tables.set(column, names.at(-1) ?? '')
  }
  return { corpora, tables }
}

/**
 * Columns of a view may be null: the database does not know better, and an order must put null last. `corpora`: see
 * TableReferences.
 */
export function columnsOf({ columns }: DescribedTable, corpora: TableReferences['corpora'] = new Map()): TableColumns {
  const properties: Property[] = []
  const left: string[] = []
  for (const { name, type, isNullable, comment } of columns) {
    const schema = schemaOfType(type)
    if (schema === undefined) left.push(`${name} (${type})`)
    else if (!servedName.test(name)) left.push(`${name} (its name)`)
    else {
      const own = schema['type']
      const orNull = isNullable && typeof own === 'string' ? { type: [own, 'null'] } : {}
      const corpus = corpora.get(name)
      properties.push([
        name,
        {
          ...schema,
          ...orNull,
          ...(corpus === undefined ? {} : { 'x-corpus': corpus }),
          ...(comment === null ? {} : { description: comment })
        }
      ])
    }
  }
  return { properties, left }
}

/** Returns the column of the key: the one that was named, or the primary key. Throws a UsageError if there is none. */
export function keyOf(table: string, { key, columns }: DescribedTable, named: string | undefined): string {
  const chosen = named ?? (key.length === 1 ? key[0] : undefined)
  if (chosen === undefined)
    throw new UsageError(`\`${table}\` has no primary key of one column: name a unique column with --key.`)
  if (!columns.some(({ name }) => name === chosen)) throw new UsageError(`\`${table}\` has no column \`${chosen}\`.`)
  return chosen
}

const line = ([name, schema]: Property): string => {
  const members = Object.entries(schema).map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`)
  return `  ${name}: {${members.length === 0 ? '' : ` ${members.join(', ')} `}}\n`
}

/** Returns the text of `schema.yaml`. */
export const tableSchemaText = (properties: readonly Property[], key: string): string =>
  `# Columns of the table that are served, as JSON Schema. Written by \`pantry table\`; leave out what nobody should see.
type: object
additionalProperties: false
required: ${JSON.stringify([key, ...properties.map(([name]) => name).filter(name => name !== key)])}
properties:
${properties
  .map(([name, schema]): Property => [name, name === key ? { ...schema, type: [schema['type']].flat()[0] } : schema])
  .map(line)
  .join('')}`

type TableWords = Readonly<Record<'table' | 'corpus' | 'key' | 'license', string> & { source?: string }>

/** Returns the text of `corpus.yaml`. */
export function tableCorpusText(
  { table, corpus, key, license, source = templateTexts.source }: TableWords,
  { columns, comment, indexes }: DescribedTable
): string {
  const title = titleNames.find(name => columns.some(column => column.name === name))
  const words = columns.find(({ name, type }) => type === 'tsvector' && indexes.some(index => firstOf(index) === name))
  return `# The rows of a table of the database, and under which rights they are.
title: ${JSON.stringify(comment ?? humanise(corpus))}
table: ${table}
# Column that identifies a row.
key: ${key}
# Columns to sort by; \`-column\` from high to low.
order: [${key}]
license: ${license}
# Where the content comes from.
source: ${JSON.stringify(source)}
${title === undefined ? '' : `# Columns that text renderings show.\nroles: { title: ${title} }\n`}${
    words === undefined
      ? ''
      : `# Column of the words to search, and the text search configuration that made it.\nsearch: { column: ${words.name}, language: simple }\n`
  }`
}

const defined = (members: object): JsonSchema =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** Adds null to declared types, if the column may be null. */
const withNull = (type: unknown, made: JsonSchema): unknown =>
  type !== undefined && [made['type']].flat().includes('null') ? [...new Set([type, 'null'].flat())] : type

/** What `--update` changes: the declared columns with the types that they have now, and what is new or gone. */
type UpdatedColumns = Readonly<{ properties: readonly Property[]; added: readonly string[]; gone: readonly string[] }>

/**
 * Returns the declared properties with the types and references of the table. A column that can be shown as it is
 * declared, such as a number declared as text, keeps its declaration.
 */
export function updatedColumns(
  declared: JsonSchema,
  { properties }: TableColumns,
  isKept: (name: string, schema: JsonSchema) => boolean
): UpdatedColumns {
  const now = new Map(properties)
  const before = Object.entries(propertiesOf(declared))
  return {
    properties: before.flatMap(([name, schema]): Property[] => {
      const made = now.get(name)
      if (made === undefined) return []
      const { type, format, items, ...own } = schema
      const kept = isKept(name, schema)
      const shown = kept
        ? { type, format, items }
        : { type: made['type'], format: made['format'], items: made['items'] }
      const known = { ...shown, type: withNull(shown.type, made), 'x-corpus': made['x-corpus'] }
      return [[name, { ...defined(known), ...own }]]
    }),
    added: properties.flatMap(([name]) => (before.some(([known]) => known === name) ? [] : [name])),
    gone: before.flatMap(([name]) => (now.has(name) ? [] : [name]))
  }
}
