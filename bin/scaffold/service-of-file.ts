import type { DescribedTable } from '../../core/database/tables/describe.ts'
import { keyOfNew, numberColumn, wordsColumn, type NewTable } from '../../core/database/tables/load.ts'
import { humanise } from '../../core/format/format.ts'
import type { Files } from '../../core/kinds/scaffold.ts'
import { UsageError } from '../config.ts'
import type { PlannedColumn } from '../load/plan-load.ts'
import { firstTest, ignoredFiles, serviceHead } from './first-service.ts'
import { migrationText, tableMigration } from './migration.ts'
import { columnsOf, tableCorpusText, tableSchemaText } from './table-corpus.ts'

/** The name of a service, and the words about its rows: their license, where they come from, and the day (ISO 8601). */
type Words = Readonly<{ name: string; license: string; source: string; today: string }>

/** License tiers that every service has. */
const ownTiers: readonly string[] = ['CC0-1.0', 'NOASSERTION']

const tierText = (license: string): string =>
  ownTiers.includes(license)
    ? ''
    : `tiers:\n  ${license}: { meaning: Say what the license allows., open: false, label: ${license.toLowerCase()} }\n`

const serviceText = ({ name, license, source }: Words): string => `${serviceHead(name)}${tierText(license)}sources:
  data: { license: ${license}, meaning: ${JSON.stringify(source)} }
`

const rightsText = ({ name, license, today }: Words): string => `tags: [${name}]
access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: ${license}
sources: [data]
provenance: synced
since: ${today}
contract: envelope
`

const listText = (words: Words, { search, filters, sort }: Asked): string => `# The rows of the table. No code.
kind: rows
path: /api/v1/${words.name}
summary: ${humanise(words.name)}, one page after the other.
${rightsText(words)}formats: [json, csv, ndjson, html, md]
corpus: ${words.name}
${search.length === 0 ? '' : 'search: true\n'}${filters.length === 0 ? '' : `filters: [${filters.join(', ')}]\n`}${sort.length === 0 ? '' : `sort: [${sort.join(', ')}]\n`}limit: { default: 20, maximum: 1000 }
# All rows as one file: ?all=true&format=csv
stream: { maximum: 1000000 }
# A parameter that is not declared is refused, so that no misspelt filter answers with every row.
strict: true
list: entries
`

const rowText = (words: Words, key: string): string => `# One row by its key.
kind: row
path: /api/v1/${words.name}/{${key}}
summary: One row by its key.
${rightsText(words)}formats: [json, html, md]
corpus: ${words.name}
key: ${key}
examples:
  - { title: A key that no row has, params: { ${key}: '0' }, expect: { status: 404 } }
`

/** What callers can ask of the rows, by the names of columns. */
type Asked = Readonly<{ search: readonly string[]; filters: readonly string[]; sort: readonly string[] }>

const sortable = [
  'integer',
  'bigint',
  'numeric',
  'real',
  'double precision',
  'date',
  'timestamp with time zone',
  'timestamp without time zone'
]

/** Returns the table as it is after the migration. */
function describe({ columns, key: together, search }: NewTable, key: string): DescribedTable {
  const column = (name: string, type: string) => ({
    name,
    type,
    isNullable: name !== key && !together.includes(name),
    comment: null
  })
  return {
    isView: false,
    comment: null,
    key: [key],
    columns: [
      ...(columns.some(({ name }) => name === key) ? [] : [column(key, 'bigint')]),
      ...columns.map(({ name, type }) => column(name, type)),
      ...(search.length === 0 ? [] : [column(wordsColumn, 'tsvector')])
    ],
    indexes: [{ method: 'gin', columns: [wordsColumn], operatorClass: '', isUnique: false }]
  }
}

/**
 * Generates the files of a service of one table. Columns with few words become filters, numbers and dates can be sorted
 * by, and both get an index. Throws a UsageError if no column can be the key.
 */
export function serviceOfFile(
  words: Words,
  columns: readonly PlannedColumn[],
  { key: named, search }: Pick<NewTable, 'key' | 'search'>
): Readonly<{ files: Files; table: string }> {
  const { name, license, source } = words
  const key = keyOfNew({ key: named, columns })
  const others = columns.filter(column => column.name !== key)
  const filters = others.filter(({ isCategory }) => isCategory).map(column => column.name)
  const sort = others.filter(({ type }) => sortable.includes(type)).map(column => column.name)
  const table = name.replaceAll('-', '_')
  const made: NewTable = { table, columns, key: named, search, indexes: [...filters, ...sort] }
  if (key === undefined)
    throw new UsageError(`The file has a column \`${numberColumn}\`: say with --key which column identifies a row.`)
  const described = describe(made, key)
  return {
    table,
    files: {
      'manifests/service.yaml': serviceText(words),
      [`manifests/${name}.yaml`]: listText(words, { search, filters, sort }),
      [`manifests/${name}/entry.yaml`]: rowText(words, key),
      [`corpora/${name}/corpus.yaml`]: tableCorpusText({ table, corpus: name, key, license, source }, described),
      [`corpora/${name}/schema.yaml`]: tableSchemaText(columnsOf(described).properties, key),
      [`migrations/0001_${table}.js`]: migrationText(tableMigration(made)),
      'test/service.test.js': firstTest,
      '.gitignore': ignoredFiles
    }
  }
}
