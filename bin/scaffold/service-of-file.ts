import { stringify } from 'yaml'
import type { DescribedIndex, DescribedTable } from '../../core/database/tables/describe.ts'
import { keyOfNew, numberColumn, wordsColumn, type NewTable } from '../../core/database/tables/load.ts'
import { humanise } from '../../core/format/format.ts'
import { offeredRows } from '../../core/kinds/rows/scaffold.ts'
import type { AskedOfRows, Files } from '../../core/kinds/scaffold.ts'
import { templateTexts } from '../../core/vocabulary/template-texts.ts'
import { UsageError } from '../config.ts'
import { askedOf } from './asked-of-rows.ts'
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
    : `tiers:\n  ${license}: { meaning: ${templateTexts.license}, open: false, label: ${license.toLowerCase()} }\n`

const serviceText = ({ name, license, source }: Words): string => `${serviceHead(name)}${tierText(license)}sources:
  data: { license: ${license}, meaning: ${JSON.stringify(source)} }
`

const rightsText = (
  { name, license, today }: Words,
  contract: 'envelope' | 'bare' = 'envelope'
): string => `tags: [${name}]
access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: ${license}
sources: [data]
provenance: synced
since: ${today}
contract: ${contract}
`

/** Writes a value on one line. */
const flow = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(flow).join(', ')}]` : stringify(value, { collectionStyle: 'flow' }).trim()

const comments: Readonly<{ [field: string]: string | undefined }> = {
  stream: 'All rows as one file: ?all=true&format=csv',
  strict: 'A parameter that is not declared is refused, so that no misspelt filter answers with every row.'
}

function listText(words: Words, asked: AskedOfRows, search: boolean): string {
  const { formats, fields } = offeredRows(words.name, { ...asked, search })
  const lines = Object.entries({ formats, ...fields }).map(
    ([name, value]) => `${comments[name] === undefined ? '' : `# ${comments[name]}\n`}${name}: ${flow(value)}\n`
  )
  return `# The rows of the table. No code.
kind: rows
path: /api/v1/${words.name}
summary: ${humanise(words.name)}, one page after the other.
${rightsText(words)}${lines.join('')}`
}

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

const sitemapText = (words: Words): string => `# The pages of the rows, for search engines.
kind: row-sitemap
path: /sitemap-${words.name}.xml
summary: The pages of the rows, for search engines.
${rightsText(words, 'bare')}formats: [sitemap, json]
corpus: ${words.name}
examples:
  - title: As search engines read it
`

const index = (method: string, columns: readonly string[]): DescribedIndex => ({
  method,
  columns,
  operatorClass: '',
  isUnique: false
})

/** Returns the table as it is after the migration. */
function describe({ columns, key: together, search, indexes }: NewTable, key: string): DescribedTable {
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
    indexes: [
      ...[together, ...indexes.map(name => [name])].map(columns => index('btree', columns)),
      index('gin', [wordsColumn])
    ],
    foreignKeys: []
  }
}

/**
 * Generates the files of a service of one table. Columns with few words become filters, numbers and dates can be sorted
 * by, and both get an index. Throws a UsageError if no column can be the key.
 */
export function serviceOfFile(words: Words, made: NewTable): Files {
  const { name, license, source } = words
  const { table, search } = made
  const key = keyOfNew(made)
  if (key === undefined)
    throw new UsageError(
      `A surface names a row by one column, and the file has a column \`${numberColumn}\`: name one with --key, or give that column another name.`
    )
  const described = describe(made, key)
  return {
    'manifests/service.yaml': serviceText(words),
    [`manifests/${name}.yaml`]: listText(words, askedOf(described, key), search.length > 0),
    [`manifests/${name}/entry.yaml`]: rowText(words, key),
    [`manifests/sitemap-${name}.yaml`]: sitemapText(words),
    [`corpora/${name}/corpus.yaml`]: tableCorpusText({ table, corpus: name, key, license, source }, described),
    [`corpora/${name}/schema.yaml`]: tableSchemaText(columnsOf(described).properties, key),
    [`migrations/0001_${table}.js`]: migrationText(tableMigration(made)),
    'test/service.test.js': firstTest,
    '.gitignore': ignoredFiles
  }
}
