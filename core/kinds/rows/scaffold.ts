import type { Corpus } from '../../corpus/corpus.ts'
import { humanise } from '../../format/format.ts'
import type { Registry } from '../../registry/registry.ts'
import { templateTexts } from '../../vocabulary/template-texts.ts'
import {
  defaultPath,
  manifestWordsOf,
  nameOf,
  ScaffoldError,
  withoutPlaceholders,
  type AskedOfRows,
  type Files,
  type NewMigration,
  type Scaffold
} from '../scaffold.ts'

const tableOf = (corpus: string): string => corpus.replaceAll('-', '_')

const corpusText = (
  name: string,
  license: string
): string => `# The rows of a table of the database, and under which rights they are.
# \`pantry table <table>\` writes this file and schema.yaml from the table itself.
title: ${humanise(name)}
table: ${tableOf(name)}
# Column that identifies a row.
key: id
# Columns to sort by; \`-column\` from high to low.
order: [id]
license: ${license}
# Where the content comes from.
source: ${templateTexts.source}
# Columns that text renderings show.
roles: { title: title }
`

const schemaText = `# Columns of the table that are served, as JSON Schema.
type: object
additionalProperties: false
required: [id, title]
properties:
  id: { type: integer, description: Number of the row. }
  title: { type: string, description: Heading. }
`

const creating = (table: string): NewMigration => ({
  name: table,
  up: [
    `create table "${table}" (id bigint generated always as identity primary key, title text not null)`,
    `insert into "${table}" (title) values ('The first row')`
  ],
  down: `drop table "${table}"`
})

type Found = Readonly<{
  corpus: Pick<Corpus, 'key' | 'table'>
  license: string
  parts: Readonly<{ files?: Files; migration?: NewMigration }>
}>

/**
 * Returns the corpus of a new surface: if it is new, with its files and a migration that creates its table. Throws a
 * ScaffoldError if the entries of the corpus are in files.
 */
export function corpusFor(name: string, { corpora, service }: Registry): Found {
  const corpus = corpora.get(name)
  const { license } = manifestWordsOf(service, corpus?.license)
  if (corpus !== undefined && corpus.table === undefined)
    throw new ScaffoldError(
      `The entries of the corpus \`${name}\` are in files. Run \`pantry table <table>\`, and name its corpus with \`--corpus\`.`
    )
  if (corpus !== undefined) return { corpus, license, parts: {} }
  const files = {
    [`corpora/${name}/corpus.yaml`]: corpusText(name, license),
    [`corpora/${name}/schema.yaml`]: schemaText
  }
  return { corpus: { key: 'id', table: { name } }, license, parts: { files, migration: creating(tableOf(name)) } }
}

/** Returns the formats of a new list of rows, and what its manifest says besides what all have. */
export const offeredRows = (
  corpus: string,
  { search, filters, sort }: AskedOfRows & Readonly<{ search: boolean }>
) => ({
  formats: ['json', 'csv', 'ndjson', 'html', 'md'],
  fields: {
    corpus,
    ...(search ? { search: true } : {}),
    ...(filters.length === 0 ? {} : { filters }),
    ...(sort.length === 0 ? {} : { sort }),
    limit: { default: 20, maximum: 1000 },
    stream: { maximum: 1_000_000 },
    strict: true,
    list: 'entries'
  }
})

const nothing: AskedOfRows = { filters: [], sort: [] }

export const rowsScaffold: Scaffold = (
  { id, path = defaultPath(id), corpus: name = nameOf(id) },
  { registry, asked = nothing }
) => {
  const { corpus, license, parts } = corpusFor(name, registry)
  return {
    path: withoutPlaceholders('rows', path),
    tier: license,
    provenance: 'live',
    ...offeredRows(name, { ...asked, search: corpus.table?.search !== undefined }),
    ...parts
  }
}
