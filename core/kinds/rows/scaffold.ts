import type { Corpus } from '../../corpus/corpus.ts'
import { humanise } from '../../format/format.ts'
import type { Registry } from '../../registry/registry.ts'
import {
  defaultPath,
  manifestWordsOf,
  nameOf,
  ScaffoldError,
  withoutPlaceholders,
  type Files,
  type Scaffold
} from '../scaffold.ts'

const corpusText = (
  name: string,
  license: string
): string => `# The rows of a table of the database, and under which rights they are.
# \`pantry table <table>\` writes this file and schema.yaml from the table itself.
title: ${humanise(name)}
table: ${name.replaceAll('-', '_')}
# Column that identifies a row.
key: id
# Columns to sort by; \`-column\` from high to low.
order: [id]
license: ${license}
# Where the content comes from.
source: Say where the rows come from.
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

type Found = Readonly<{ corpus: Pick<Corpus, 'key' | 'table'>; license: string; files: Files }>

/** Returns the corpus of a new surface, with its files if it is new. Throws a ScaffoldError if it has no table. */
export function corpusFor(name: string, { corpora, service }: Registry): Found {
  const corpus = corpora.get(name)
  const { license } = manifestWordsOf(service, corpus?.license)
  if (corpus !== undefined && corpus.table === undefined)
    throw new ScaffoldError(
      `The entries of the corpus \`${name}\` are in files. Run \`pantry table <table>\`, and name its corpus with \`--corpus\`.`
    )
  return {
    corpus: corpus ?? { key: 'id', table: { name } },
    license,
    files:
      corpus === undefined
        ? { [`corpora/${name}/corpus.yaml`]: corpusText(name, license), [`corpora/${name}/schema.yaml`]: schemaText }
        : {}
  }
}

export const rowsScaffold: Scaffold = ({ id, path = defaultPath(id), corpus: name = nameOf(id) }, { registry }) => {
  const { corpus, license, files } = corpusFor(name, registry)
  return {
    path: withoutPlaceholders('rows', path),
    tier: license,
    provenance: 'live',
    fields: {
      corpus: name,
      ...(corpus.table?.search === undefined ? {} : { search: true }),
      limit: { default: 20, maximum: 100 },
      list: 'entries'
    },
    files
  }
}
