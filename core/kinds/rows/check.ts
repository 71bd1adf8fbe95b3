import { quotedList, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestionHint } from '../../diagnostics/suggest.ts'
import { streamable } from '../../format/index.ts'
import type { Context, ManifestFile } from '../../manifest/kind.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { report } from '../../source/report.ts'
import { checkFields, checkFilterNames, checkLimit } from '../collection/check.ts'
import { checkMemberNames } from '../fields.ts'
import { listOf, type RowsManifest } from './manifest.ts'

const reserved: Readonly<Record<string, string>> = {
  q: 'the words to search',
  sort: 'the order',
  count: 'whether rows are counted',
  fields: 'the members of an entry',
  format: 'the representation',
  limit: 'the number of entries',
  cursor: 'the page'
}

function* checkStream({ source, manifest }: ManifestFile<RowsManifest>): Generator<Diagnostic> {
  const { stream, formats = ['json'] } = manifest
  if (stream === undefined || streamable.some(name => formats.includes(name))) return
  yield report(source, 'M331', ['stream'], 'No format of this surface can be sent while it is read.', {
    on: 'key',
    hint: `Add ${quotedList(streamable, ' or ')} to \`formats\`.`
  })
}

export const checkRows = (file: ManifestFile<RowsManifest>): Diagnostic[] => [
  ...checkFilterNames(file, file.manifest.stream === undefined ? reserved : { ...reserved, all: 'every entry' }),
  ...checkStream(file),
  ...checkLimit(file.source, file.manifest.limit),
  ...checkMemberNames(file, file.manifest.with, [
    'scope',
    'filters_applied',
    'filter_vocabulary',
    'formats',
    'returned',
    listOf(file.manifest)
  ])
]

export function* checkRowsFit(file: ManifestFile<RowsManifest>, context: Context): Generator<Diagnostic> {
  yield* checkFields(file, context)
  const { source, manifest } = file
  const corpus = context.corpora.get(manifest.corpus)
  if (corpus === undefined) return
  const properties = propertiesOf(corpus.schema)
  for (const [index, name] of (manifest.sort ?? []).entries())
    if (!(name in properties))
      yield report(source, 'M420', ['sort', index], `Entries of \`${manifest.corpus}\` have no field \`${name}\`.`, {
        hint: suggestionHint(name, Object.keys(properties))
      })
  if (manifest.search === true && corpus.table !== undefined && corpus.table.search === undefined)
    yield report(source, 'M435', ['search'], `\`corpora/${manifest.corpus}/corpus.yaml\` names no column to search.`, {
      on: 'key',
      hint: 'Add `search: { column: … }` there, with a column of type `tsvector`.'
    })
}
