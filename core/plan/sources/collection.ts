import type { JsonObject } from '../../canonical/json.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { pickOfDay, selectEntries, type Condition } from '../../corpus/select.ts'
import { propertiesOf, wordsOf } from '../../manifest/entry-fields.ts'
import type { Filter, SurfaceOf } from '../../manifest/surface.ts'
import type { PlanInput, Source } from '../result.ts'

const conditionsOf = (filters: readonly Filter[], query: PlanInput['query']): Condition[] =>
  filters.flatMap(({ name, field, operation }) => query[name] === undefined ? [] : [{ field, operation, value: query[name] }])

/** Words that a filter takes, for the filters whose field lists them. */
function vocabularyOf (corpus: Corpus, filters: readonly Filter[]): JsonObject {
  const fields = propertiesOf(corpus.schema)
  return Object.fromEntries(filters.flatMap(({ name, field, operation }) => {
    const words = operation === 'equals' ? wordsOf(fields[field] ?? {}) : undefined
    return words === undefined ? [] : [[name, words]]
  }))
}

/** A list from a corpus, or the entry of the day. The members stand as `core/manifest/output-schema.ts` promises. */
export function compileCollection (surface: SurfaceOf<'collection'>, given: { corpora: ReadonlyMap<string, Corpus> }): Source {
  const { corpus: name, filters, limit, order, pick, list, document } = surface.answer
  const corpus = given.corpora.get(name)
  if (corpus === undefined) throw new Error(`There is no corpus ${name}.`)
  const sortedBy = order.length === 0 ? corpus.order : order
  if (pick === 'daily') {
    return {
      when: 'pure',
      answer: (_input, { now, time }) => {
        const entry = pickOfDay(corpus.entries, now)
        return { status: 200, data: { ...document, date: time.slice(0, 10), [list]: entry ?? null }, list: { entries: entry === undefined ? [] : [entry], corpus } }
      }
    }
  }
  const dateFilter = filters.find(({ operation }) => operation === 'since')
  const dates = dateFilter === undefined ? [] : corpus.entries.map(entry => entry[dateFilter.field]).filter(value => typeof value === 'string').sort()
  const vocabulary = vocabularyOf(corpus, filters)
  const formats = surface.formats.length > 1 ? { formats: Object.fromEntries(surface.formats.map(format => [format, `${surface.route.path}?format=${format}`])) } : {}
  return {
    when: 'pure',
    answer: ({ query }) => {
      const most = limit === undefined ? undefined : typeof query.limit === 'number' ? query.limit : limit.default
      const { matching, returned } = selectEntries(corpus, { conditions: conditionsOf(filters, query), order: sortedBy, limit: most })
      const data = {
        ...document,
        scope: {
          ...(dateFilter === undefined ? {} : { begins: dates[0] ?? null }),
          total_entries_in_corpus: corpus.entries.length,
          total_entries_after_filters: matching.length
        },
        filters_applied: Object.fromEntries(filters.map(filter => [filter.name, query[filter.name] ?? null])),
        filter_vocabulary: vocabulary,
        ...formats,
        returned: returned.length,
        [list]: returned
      }
      return { status: 200, data, list: { entries: returned, corpus } }
    }
  }
}
