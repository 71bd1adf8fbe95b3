import type { JsonObject, JsonSchema } from '../../canonical/json.ts'
import { Type } from '../../canonical/type.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import type { Context, ManifestFile } from '../../manifest/kind.ts'
import { closed, Field, OnlyGet, type ManifestWith } from '../../manifest/manifest.ts'
import type { ComparedColumn } from '../../manifest/surface.ts'
import { propertiesOf, typesOf, valueSchema } from '../../schema/json-schema.ts'
import {
  FiltersField,
  filtersOf,
  LimitField,
  OrderField,
  ShownFields,
  type Filter,
  type Limit
} from '../collection/manifest.ts'
import { operatorOf } from '../collection/operators/list.ts'
import { CorpusField, corpusOf, FixedMembers } from '../fields.ts'

export const RowsField = { ...CorpusField, description: 'Name of the corpus whose `corpus.yaml` names a `table`.' }

const List = { ...Field, examples: ['places'], description: 'Name of the list in the answer. Default `entries`.' }

const StreamField = Type.Object(
  { maximum: Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Most entries of one answer.' }) },
  {
    ...closed,
    examples: [{ maximum: 1_000_000 }],
    description:
      'Adds the query parameter `all`: every entry that is selected in one answer, as `csv` or `ndjson`, which is sent while it is read.'
  }
)

export const rowsFields = {
  method: Type.Optional(OnlyGet),
  corpus: RowsField,
  filters: FiltersField,
  search: Type.Optional(
    Type.Literal(true, {
      examples: [true],
      description: 'Adds the query parameter `q`: words to search, in the column under `search` of the corpus.'
    })
  ),
  sort: Type.Optional(
    Type.Array(Field, {
      minItems: 1,
      uniqueItems: true,
      examples: [['name', 'population']],
      description:
        'Fields that callers may sort by, with the query parameter `sort`: `name`, or `-name` from high to low.'
    })
  ),
  order: OrderField,
  limit: LimitField,
  stream: Type.Optional(StreamField),
  fields: ShownFields,
  list: Type.Optional(List),
  with: FixedMembers('the content of the table')
}

export type RowsManifest = ManifestWith<typeof rowsFields>

export type RowsAnswer = Readonly<{
  corpus: string
  filters: readonly Filter[]
  /** Whether callers may search words. */
  search: boolean
  /** Fields that callers may sort by. */
  sort: readonly string[]
  order: readonly string[]
  limit: Limit
  /** Most entries of an answer that has all; undefined if none has. */
  all: number | undefined
  fields: RowsManifest['fields'] | undefined
  list: string
  /** The columns that requests compare or sort by. */
  compares: readonly ComparedColumn[]
  /** The members under `with` in the manifest, which come before all others. */
  fixed: JsonObject
}>

export const listOf = ({ list = 'entries' }: Pick<RowsManifest, 'list'>): string => list
/** Whether the values of a column are lists. */
export const isList = (schema: JsonSchema = {}): boolean => valueSchema(schema) !== schema

/** Returns the columns that filters compare and orders sort by; no index helps with other comparisons of lists. */
function comparedColumns(
  { schema }: Corpus,
  filters: readonly Filter[],
  sorted: readonly string[]
): readonly ComparedColumn[] {
  const properties = propertiesOf(schema)
  return [
    ...filters.flatMap(({ field, operation }): ComparedColumn[] => {
      const { index, isOfItems = false } = operatorOf(operation)
      // No index of a column with two values is worth its work.
      if (typesOf(properties[field] ?? {}).includes('boolean')) return []
      if (!isList(properties[field])) return [{ field, index }]
      return isOfItems ? [{ field, index: 'items' }] : []
    }),
    ...sorted.map(name => ({ field: name.replace(/^-/, ''), index: 'values' as const }))
  ]
}

export function rowsAnswer({ manifest }: ManifestFile<RowsManifest>, context: Context): RowsAnswer {
  const corpus = corpusOf(context, manifest.corpus)
  const { search = false, sort = [], order = corpus.order, limit, stream, fields, with: fixed = {} } = manifest
  const filters = filtersOf(manifest)
  return {
    corpus: corpus.name,
    filters,
    search,
    sort,
    order,
    limit,
    all: stream?.maximum,
    fields,
    list: listOf(manifest),
    compares: comparedColumns(corpus, filters, [...sort, ...order.slice(0, 1)]),
    fixed: fixed as JsonObject
  }
}
