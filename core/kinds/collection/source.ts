import { isObject, type JsonObject } from '../../canonical/json.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { filterEntries, pickOfDay, selectEntries, type Condition } from '../../corpus/select.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { ContentSource, Given, PlanInput } from '../../plan/kind.ts'
import { propertiesOf, valueSchema } from '../../schema/json-schema.ts'
import { compileChoice, inEachLanguage } from '../shown-entries.ts'
import type { CollectionAnswer, Filter } from './manifest.ts'
import { operatorOf } from './operators/list.ts'
import { compilePage } from './page.ts'

type Query = PlanInput['query']
type Pure = Extract<ContentSource, { when: 'pure' }>

/** Returns a function that makes the filter conditions from a query. */
function compileConditions(filters: readonly Filter[]): (query: Query) => Condition[] {
  const known = filters.map(({ name, field, operation }) => ({ name, field, operator: operatorOf(operation) }))
  return query =>
    known.flatMap(({ name, field, operator }) => {
      const wanted = query[name]
      return wanted === undefined ? [] : [{ field, meets: value => operator.meets(value, wanted) }]
    })
}

/** Returns the allowed words of each filter whose field has a closed list. */
function vocabularyOf(corpus: Corpus, filters: readonly Filter[]): JsonObject {
  const fields = propertiesOf(corpus.schema)
  return Object.fromEntries(
    filters.flatMap(({ name, field, operation }) => {
      const words = operatorOf(operation).words?.(valueSchema(fields[field] ?? {}))
      return words === undefined ? [] : [[name, words]]
    })
  )
}

/**
 * Returns a function that makes the members describing the filtering: `scope`, `filters_applied`, `filter_vocabulary`.
 */
function compileSelection(corpus: Corpus, filters: readonly Filter[]): (query: Query, matching: number) => JsonObject {
  const dateFilter = filters.find(({ operation }) => operatorOf(operation).dated)
  const dates =
    dateFilter === undefined
      ? []
      : corpus.entries
          .map(entry => entry[dateFilter.field])
          .filter(value => typeof value === 'string')
          .sort()
  const vocabulary = vocabularyOf(corpus, filters)
  return (query, matching) => ({
    scope: {
      ...(dateFilter === undefined ? {} : { begins: dates[0] ?? null }),
      total_entries_in_corpus: corpus.entries.length,
      total_entries_after_filters: matching
    },
    filters_applied: Object.fromEntries(filters.map(filter => [filter.name, query[filter.name] ?? null])),
    filter_vocabulary: vocabulary
  })
}

/** Returns these members for the plain-text format: the scope, and only the filters that were set. */
function told({ scope, filters_applied: applied }: JsonObject): JsonObject {
  const set = isObject(applied) ? Object.entries(applied).filter(([, value]) => value !== null) : []
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(set.length === 0 ? {} : { filters_applied: Object.fromEntries(set) })
  }
}

/** Answers with one of the filtered entries, a different one each UTC day; `all=true` adds all of them. */
function compilePick(answer: CollectionAnswer, corpus: Corpus): Pure {
  const { filters, all, list, fixed } = answer
  const conditionsOf = compileConditions(filters)
  const selection = compileSelection(corpus, filters)
  const choose = compileChoice(corpus, answer.fields)
  return {
    when: 'pure',
    daily: true,
    answer: ({ query }, { now, time }) => {
      const { columns, show, whole } = choose(query['fields'])
      const found = filterEntries(corpus.entries, conditionsOf(query))
      const [today, matching] = [pickOfDay(found, now), found.map(show)]
      const entry = today === undefined ? undefined : show(today)
      const entries = (query['all'] === true ? found : today === undefined ? [] : [today]).map(whole)
      const date = time.slice(0, 10)
      const selected = filters.length === 0 && all === undefined ? {} : selection(query, matching.length)
      const data = {
        ...fixed,
        date,
        ...selected,
        [list]: entry ?? null,
        ...(all === undefined ? {} : { all: query['all'] === true ? matching : null })
      }
      // Plain text mentions only the requested filters, not the ones that could have been set.
      const prose = {
        ...fixed,
        date,
        ...told(selected),
        [list]: entry ?? null,
        ...(query['all'] === true ? { all: matching } : {})
      }
      return { status: 200, data, prose, list: { entries, corpus, columns } }
    }
  }
}

/** Answers with the entries of a corpus, filtered and ordered. */
function compileList(surface: Surface<CollectionAnswer>, corpus: Corpus): Pure {
  const { filters, limit, order, page, list, fixed } = surface.answer
  const sortedBy = order.length === 0 ? corpus.order : order
  const conditionsOf = compileConditions(filters)
  const selection = compileSelection(corpus, filters)
  const choose = compileChoice(corpus, surface.answer.fields)
  const paged = page === undefined ? undefined : compilePage(page, corpus, sortedBy)
  const formats =
    surface.formats.length > 1
      ? {
          formats: Object.fromEntries(surface.formats.map(format => [format, `${surface.route.path}?format=${format}`]))
        }
      : {}
  return {
    when: 'pure',
    answer: ({ query }) => {
      const most = limit === undefined ? undefined : typeof query.limit === 'number' ? query.limit : limit.default
      const { matching, returned } = selectEntries(corpus, {
        conditions: conditionsOf(query),
        order: sortedBy,
        limit: paged === undefined ? most : undefined
      })
      const { entries: found, next } = paged?.(matching, most ?? matching.length, query) ?? {
        entries: returned,
        next: undefined
      }
      const { columns, show, whole } = choose(query['fields'])
      return {
        status: 200,
        data: {
          ...fixed,
          ...selection(query, matching.length),
          ...formats,
          returned: found.length,
          [list]: found.map(show)
        },
        list: { entries: found.map(whole), corpus, columns },
        next
      }
    }
  }
}

/**
 * Compiles a surface that answers with a list from a corpus or with the entry of the day. The members have the order of
 * `collectionOutput`.
 */
export function compileCollection(surface: Surface<CollectionAnswer>, { corpora }: Given<'corpora'>): ContentSource {
  const { corpus: name, pick } = surface.answer
  const declared = corpora.get(name)
  if (declared === undefined) throw new Error(`There is no corpus ${name}.`)
  // The entry of the day must be the same in every language, so it is picked in the order of the default language.
  const inOneOrder = (corpus: Corpus): Corpus => ({
    ...corpus,
    entries: declared.entries.map(entry => corpus.byKey.get(entry[declared.key] as string) ?? entry)
  })
  return inEachLanguage(declared, corpus =>
    pick === 'daily' ? compilePick(surface.answer, inOneOrder(corpus)) : compileList(surface, corpus)
  )
}
