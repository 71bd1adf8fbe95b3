import type { JsonSchema } from '../../canonical/json.ts'
import type { Context } from '../../manifest/kind.ts'
import { parametersSchema } from '../../manifest/normalise.ts'
import { checkPlaceholders } from '../../manifest/rules.ts'
import type { Input } from '../../manifest/surface.ts'
import {
  corpusOf,
  corpusReference,
  count,
  declaredContracts,
  exactly,
  fixedMembers,
  renamedMembers,
  text
} from '../fields.ts'
import { defineKind } from '../kind.ts'
import { corpusFiles, defaultPath, nameOf, withoutPlaceholders, manifestWordsOf, type Scaffold } from '../scaffold.ts'
import { fieldsetOf, fieldsetParameter, fieldsetSchema } from '../shown-entries.ts'
import { checkCollection, checkFields } from './check.ts'
import { answerOf, fields, type CollectionAnswer, type CollectionManifest } from './manifest.ts'
import { operatorOf } from './operators/list.ts'
import { pageParameters } from './page.ts'
import { filterMembers, filterParameters, limitParameter } from './selection.ts'
import { compileCollection } from './source.ts'

function collectionInput(
  { answer: { corpus: name, filters, all, limit, page, fields: shown } }: Readonly<{ answer: CollectionAnswer }>,
  context: Context
): Partial<Input> {
  const corpus = corpusOf(context, name)
  const allEntries = {
    type: 'boolean',
    default: false,
    description: 'Every entry that the filters select, beside the one of the day.'
  }
  return {
    query: parametersSchema({
      ...filterParameters(corpus, filters),
      ...(all === undefined ? {} : { all: allEntries }),
      ...(limit === undefined ? {} : { limit: limitParameter(limit) }),
      ...(page === undefined ? {} : { [page]: pageParameters[page] }),
      fields: fieldsetParameter(fieldsetOf(corpus, shown))
    })
  }
}

/** Returns the schema of an answer, with the members in the order of `compileList` and `compilePick`. */
function collectionOutput(
  { answer, input, formats }: Readonly<{ answer: CollectionAnswer; input: Input; formats: readonly string[] }>,
  context: Context
): JsonSchema {
  const corpus = corpusOf(context, answer.corpus)
  const entry = fieldsetSchema(corpus.schema, fieldsetOf(corpus, answer.fields))
  const fixed = fixedMembers(answer.fixed)
  const date = { type: 'string', format: 'date', description: 'The UTC day of the choice.' }
  if (answer.pick !== undefined && answer.filters.length === 0 && answer.all === undefined)
    return exactly({ ...fixed, date, [answer.list]: entry })
  const isDated = answer.filters.some(({ operation }) => operatorOf(operation).dated)
  const begins = { type: ['string', 'null'], description: 'Date of the oldest entry; `null` for an empty corpus.' }
  const selection = {
    scope: exactly({
      ...(isDated ? { begins } : {}),
      total_entries_in_corpus: count('Entries before filtering.'),
      total_entries_after_filters: count('Entries that all filters select, before the limit.')
    }),
    ...filterMembers(corpus, answer.filters, input.query)
  }
  if (answer.pick !== undefined)
    return exactly({
      ...fixed,
      date,
      ...selection,
      [answer.list]: {
        anyOf: [entry, { type: 'null' }],
        description: 'The entry of the day; `null` when the filters select none.'
      },
      ...(answer.all === undefined
        ? {}
        : {
            all: {
              type: ['array', 'null'],
              items: entry,
              description: 'Every entry that the filters select, where `all=true` asked for them.'
            }
          })
    })
  return exactly({
    ...fixed,
    ...selection,
    ...(formats.length > 1
      ? { formats: exactly(Object.fromEntries(formats.map(format => [format, text('URL of this representation.')]))) }
      : {}),
    returned: count('Entries in this answer.'),
    [answer.list]: { type: 'array', items: entry }
  })
}

const scaffold: Scaffold = ({ id, path = defaultPath(id), corpus = nameOf(id) }, { registry }) => {
  const known = registry.corpora.get(corpus)
  const { license } = manifestWordsOf(registry.service, known?.license)
  return {
    path: withoutPlaceholders('collection', path),
    tier: license,
    provenance: 'static',
    fields: { corpus, limit: { default: 20, maximum: 100 }, list: 'entries' },
    files: known === undefined ? corpusFiles(corpus, license) : {}
  }
}

export const collection = defineKind<CollectionManifest, CollectionAnswer, 'corpora'>({
  name: 'collection',
  meaning: 'The entries of a corpus, filtered and ordered.',
  reaches: ['corpora'],
  fields,
  renamed: renamedMembers,
  holds: ['value', 'words', 'list'],
  contracts: declaredContracts,
  check: checkCollection,
  checkPath: file => checkPlaceholders(file, []),
  checkFit: (file, context) => [...checkFields(file, context)],
  refersTo: ({ manifest }) => [corpusReference(manifest.corpus)],
  answer: answerOf,
  facts: ({ corpus, pick, list }) => ({ shows: { corpus, as: pick === undefined ? 'list' : 'choice', member: list } }),
  input: collectionInput,
  output: collectionOutput,
  compile: compileCollection,
  scaffold
})
