import type { JsonObject, JsonSchema, JsonValue } from '../../canonical/json.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { queryIn } from '../../format/format.ts'
import { ensureDefined } from '../../manifest/kind.ts'
import { askedQuery } from '../../plan/dispatch.ts'
import type { PlanInput, Wanted } from '../../plan/kind.ts'
import { propertiesOf, valueSchema } from '../../schema/json-schema.ts'
import { exactly } from '../fields.ts'
import type { Filter, Limit } from './manifest.ts'
import { operatorOf } from './operators/list.ts'
import { askedTypes, type AskedValue, type Operator } from './operators/operator.ts'

type Fields = Pick<Corpus, 'schema'>
type Entries = Pick<Corpus, 'schema' | 'entries' | 'table'>
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
  corpus: Entries,
  filters: readonly Filter[],
  query: JsonSchema
): Readonly<Record<'filters_applied' | 'filter_vocabulary', JsonSchema>> => ({
  filters_applied: exactly(
    Object.fromEntries(filters.map(({ name }) => [name, orNull(propertiesOf(query)[name] ?? {})]))
  ),
  filter_vocabulary: exactly(
    Object.fromEntries(
      compileFilters(corpus, filters).flatMap(filter =>
        isOfWords(filter, corpus) ? [[filter.name, { type: typesOfWords(filter), items: { type: 'string' } }]] : []
      )
    )
  )
})

/** Returns the closed list of words that a filter can find, if its field has one. */
const closedWords = ({ operator, value }: CompiledFilter): readonly string[] | undefined => operator.words?.(value)

/**
 * Tells whether the words that a filter can find are listed: those of a closed list, else what the entries of a corpus
 * in memory have.
 */
const isOfWords = (filter: CompiledFilter, { table }: Entries): boolean =>
  closedWords(filter) !== undefined ||
  (filter.operator.words !== undefined && table === undefined && askedTypes(filter.value).join() === 'string')

const typesOfWords = (filter: CompiledFilter): JsonValue =>
  closedWords(filter) === undefined ? ['array', 'null'] : 'array'

/** With more different texts than this in its field, the words of a filter are not listed. */
const mostHeld = 50

/** Returns the different texts in a field of the entries, in order; null if there are too many to list. */
function heldWords(entries: Corpus['entries'], field: string): JsonValue {
  const held = new Set(entries.flatMap(entry => entry[field] ?? []).filter(value => typeof value === 'string'))
  return held.size > mostHeld ? null : [...held].sort()
}

/** Returns the words of each filter of which they are listed. */
const vocabularyOf = (corpus: Entries, filters: readonly Filter[]): JsonObject =>
  Object.fromEntries(
    compileFilters(corpus, filters)
      .filter(filter => isOfWords(filter, corpus))
      .map(filter => [filter.name, closedWords(filter) ?? heldWords(corpus.entries, filter.field)])
  )

/** Compiles the members about filters, which `filterMembers` describes. */
export function compileFilterMembers(corpus: Entries, filters: readonly Filter[]): (query: Query) => JsonObject {
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
