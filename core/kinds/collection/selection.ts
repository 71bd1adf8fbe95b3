import type { JsonObject, JsonSchema } from '../../canonical/json.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { queryIn } from '../../format/format.ts'
import { ensureDefined } from '../../manifest/kind.ts'
import { askedQuery } from '../../plan/dispatch.ts'
import type { PlanInput, Wanted } from '../../plan/kind.ts'
import { propertiesOf, valueSchema } from '../../schema/json-schema.ts'
import { exactly } from '../fields.ts'
import type { Filter, Limit } from './manifest.ts'
import { operatorOf } from './operators/list.ts'
import type { AskedValue, Operator } from './operators/operator.ts'

type Fields = Pick<Corpus, 'schema'>
type Query = PlanInput['query']

/** A filter with its operator, and the schema of one value of its field. */
type CompiledFilter = Filter & Readonly<{ operator: Operator; value: JsonSchema }>

const compileFilters = ({ schema }: Fields, filters: readonly Filter[]): readonly CompiledFilter[] => {
  const fields = propertiesOf(schema)
  return filters.map(filter => ({
    ...filter,
    operator: operatorOf(filter.operation),
    value: valueSchema(ensureDefined(fields[filter.field], `field ${filter.field}`))
  }))
}

/** Returns the query parameters of filters, by name. */
export const filterParameters = (corpus: Fields, filters: readonly Filter[]): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    compileFilters(corpus, filters).map(({ name, field, operator, value }) => [name, operator.parameter(field, value)])
  )

export const limitParameter = (limit: Limit): JsonSchema => ({
  type: 'integer',
  minimum: 1,
  maximum: limit.maximum,
  default: limit.default,
  description: 'Number of entries.'
})

const orNull = (schema: JsonSchema): JsonSchema => ({
  type: [String(schema['type']), 'null'],
  ...(schema['enum'] === undefined ? {} : { enum: [...(schema['enum'] as unknown[]), null] })
})

/** Returns the schemas of the members about filters; `query` is the schema of the query. */
export const filterMembers = (
  corpus: Fields,
  filters: readonly Filter[],
  query: JsonSchema
): Readonly<Record<'filters_applied' | 'filter_vocabulary', JsonSchema>> => ({
  filters_applied: exactly(
    Object.fromEntries(filters.map(({ name }) => [name, orNull(propertiesOf(query)[name] ?? {})]))
  ),
  filter_vocabulary: exactly(
    Object.fromEntries(
      Object.keys(vocabularyOf(corpus, filters)).map(name => [name, { type: 'array', items: { type: 'string' } }])
    )
  )
})

/** Returns the words of each filter whose field has a closed list of them. */
const vocabularyOf = (corpus: Fields, filters: readonly Filter[]): JsonObject =>
  Object.fromEntries(
    compileFilters(corpus, filters).flatMap(({ name, operator, value }) => {
      const words = operator.words?.(value)
      return words === undefined ? [] : [[name, words]]
    })
  )

/** Compiles the members about filters, which `filterMembers` describes. */
export function compileFilterMembers(corpus: Fields, filters: readonly Filter[]): (query: Query) => JsonObject {
  const vocabulary = vocabularyOf(corpus, filters)
  return query => ({
    filters_applied: Object.fromEntries(filters.map(({ name }) => [name, query[name] ?? null])),
    filter_vocabulary: vocabulary
  })
}

/** A filter that a request sets, and what it compares the field with. */
type SetFilter = CompiledFilter & Readonly<{ wanted: Wanted }>

/** Compiles a function that returns the filters that a query sets. */
export function compileSetFilters(corpus: Fields, filters: readonly Filter[]): (query: Query) => readonly SetFilter[] {
  const compiled = compileFilters(corpus, filters).map(filter => ({
    ...filter,
    read: filter.operator.read?.(filter.name, filter.value) ?? ((asked: AskedValue): Wanted => asked)
  }))
  return query =>
    compiled.flatMap(({ read, ...filter }) => {
      const asked = query[filter.name]
      return asked === undefined ? [] : [{ ...filter, wanted: read(asked) }]
    })
}

/** Compiles a function that returns the URL of each format of what was asked of a list, if it has several formats. */
export function compileFormatUrls(path: string, formats: readonly string[]): (query: Query) => JsonObject {
  if (formats.length < 2) return () => ({})
  const urlsOf = (asked: string | undefined): JsonObject => ({
    formats: Object.fromEntries(formats.map(format => [format, path + queryIn(format, asked)]))
  })
  const ofAll = urlsOf(undefined)
  return query => {
    const asked = askedQuery(query)
    return asked === undefined ? ofAll : urlsOf(asked)
  }
}
