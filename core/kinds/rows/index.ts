import type { JsonSchema } from '../../canonical/json.ts'
import { quotedList } from '../../diagnostics/diagnostic.ts'
import { streamable } from '../../format/index.ts'
import type { Context } from '../../manifest/kind.ts'
import { parametersSchema } from '../../manifest/normalise.ts'
import { checkPlaceholders } from '../../manifest/rules.ts'
import type { Input } from '../../manifest/surface.ts'
import { filterMembers, filterParameters, limitParameter } from '../collection/selection.ts'
import { pageParameters } from '../collection/page.ts'
import {
  corpusOf,
  corpusReference,
  declaredContracts,
  exactly,
  fixedMembers,
  text,
  count as countSchema
} from '../fields.ts'
import { defineKind } from '../kind.ts'
import { fieldsetOf, fieldsetParameter, fieldsetSchema } from '../shown-entries.ts'
import { checkRows, checkRowsFit } from './check.ts'
import { rowsAnswer, rowsFields, type RowsAnswer, type RowsManifest } from './manifest.ts'
import { rowsScaffold } from './scaffold.ts'
import { compileRows } from './source.ts'

const words: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description:
    'Words to search: all of them, unless `or` is between them; `-word` excludes, and "quotes" keep the order.'
}

const counts: JsonSchema = {
  type: 'boolean',
  default: false,
  description: 'Count the entries, before and after filtering.'
}

const allEntries = (maximum: number): JsonSchema => ({
  type: 'boolean',
  default: false,
  description: `Every entry that is selected, in one answer that is sent while it is read: as ${quotedList(streamable, ' or ')}, without \`limit\` and \`cursor\`, and at most ${maximum}.`
})

function rowsInput({ answer }: Readonly<{ answer: RowsAnswer }>, context: Context): Partial<Input> {
  const corpus = corpusOf(context, answer.corpus)
  const order = answer.sort.flatMap(name => [name, `-${name}`])
  return {
    query: parametersSchema({
      ...filterParameters(corpus, answer.filters),
      ...(answer.search ? { q: words } : {}),
      ...(order.length === 0
        ? {}
        : { sort: { type: 'string', enum: order, description: 'Field to sort by; `-field` from high to low.' } }),
      limit: limitParameter(answer.limit),
      cursor: pageParameters.cursor,
      ...(answer.all === undefined ? {} : { all: allEntries(answer.all) }),
      count: counts,
      fields: fieldsetParameter(fieldsetOf(corpus, answer.fields))
    })
  }
}

const counted = (description: string): JsonSchema => ({
  ...countSchema(`${description} \`null\` unless \`count=true\`.`),
  type: ['integer', 'null']
})

function rowsOutput(
  { answer, input, formats }: Readonly<{ answer: RowsAnswer; input: Input; formats: readonly string[] }>,
  context: Context
): JsonSchema {
  const corpus = corpusOf(context, answer.corpus)
  return exactly({
    ...fixedMembers(answer.fixed),
    scope: exactly({
      total_entries_in_corpus: counted('Entries before filtering.'),
      total_entries_after_filters: counted('Entries that the filters and the words select.')
    }),
    ...filterMembers(corpus, answer.filters, input.query),
    ...(formats.length > 1
      ? { formats: exactly(Object.fromEntries(formats.map(format => [format, text('URL of this representation.')]))) }
      : {}),
    returned: countSchema('Entries in this answer.'),
    [answer.list]: { type: 'array', items: fieldsetSchema(corpus.schema, fieldsetOf(corpus, answer.fields)) }
  })
}

export const rows = defineKind<RowsManifest, RowsAnswer, 'corpora' | 'tables'>({
  name: 'rows',
  meaning: 'The rows of a table of the database, filtered, searched and ordered.',
  reaches: ['corpora', 'tables'],
  fields: rowsFields,
  holds: ['value', 'words', 'list'],
  contracts: declaredContracts,
  check: checkRows,
  checkPath: file => checkPlaceholders(file, []),
  checkFit: (file, context) => [...checkRowsFit(file, context)],
  refersTo: ({ manifest }) => [corpusReference(manifest.corpus)],
  answer: rowsAnswer,
  facts: ({ corpus, list, all, compares }) => ({
    shows: { corpus, as: 'list', member: list },
    ...(all === undefined ? {} : { streams: 'all' }),
    compares
  }),
  input: rowsInput,
  output: rowsOutput,
  compile: compileRows,
  scaffold: rowsScaffold
})
