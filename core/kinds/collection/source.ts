import { isObject, type JsonObject } from '../../canonical/json.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { filterEntries, pickOfDay, selectEntries, type Condition } from '../../corpus/select.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { ContentSource, KindDependencies, PlanInput } from '../../plan/kind.ts'
import { corpusOf } from '../fields.ts'
import { compileFieldset, compilePerLanguage } from '../shown-entries.ts'
import type { CollectionAnswer, Filter } from './manifest.ts'
import { operatorOf } from './operators/list.ts'
import { compilePager } from './page.ts'
import { compileFilterMembers, compileSetFilters, compileFormatUrls } from './selection.ts'

type Query = PlanInput['query']
type Pure = Extract<ContentSource, { when: 'pure' }>

function compileConditions(corpus: Corpus, filters: readonly Filter[]): (query: Query) => Condition[] {
  const setFilters = compileSetFilters(corpus, filters)
  return query =>
    setFilters(query).map(({ field, operator, wanted }) => ({ field, meets: value => operator.meets(value, wanted) }))
}

function compileSelection(corpus: Corpus, filters: readonly Filter[]): (query: Query, matching: number) => JsonObject {
  const dateFilter = filters.find(({ operation }) => operatorOf(operation).dated)
  const [begins = null] =
    dateFilter === undefined
      ? []
      : corpus.entries
          .map(entry => entry[dateFilter.field])
          .filter(value => typeof value === 'string')
          .sort()
  const members = compileFilterMembers(corpus, filters)
  return (query, matching) => ({
    scope: {
      ...(dateFilter === undefined ? {} : { begins }),
      total_entries_in_corpus: corpus.entries.length,
      total_entries_after_filters: matching
    },
    ...members(query)
  })
}

/** Returns the scope and only the filters that were set, for plain text. */
function shortened({ scope, filters_applied: applied }: JsonObject): JsonObject {
  const set = isObject(applied) ? Object.entries(applied).filter(([, value]) => value !== null) : []
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(set.length === 0 ? {} : { filters_applied: Object.fromEntries(set) })
  }
}

function compilePick({ filters, all, list, fixed, fields }: CollectionAnswer, corpus: Corpus): Pure {
  const conditionsOf = compileConditions(corpus, filters)
  const selection = compileSelection(corpus, filters)
  const choose = compileFieldset(corpus, fields)
  return {
    when: 'pure',
    daily: true,
    answer: ({ query }, { now, time }) => {
      const { columns, show, whole } = choose(query['fields'])
      const found = filterEntries(corpus.entries, conditionsOf(query))
      const [today, matching] = [pickOfDay(found, now), found.map(show)]
      const entry = today === undefined ? null : show(today)
      const isAll = query['all'] === true
      const entries = (isAll ? found : today === undefined ? [] : [today]).map(whole)
      const date = time.slice(0, 10)
      const selected = filters.length === 0 && all === undefined ? {} : selection(query, matching.length)
      return {
        status: 200,
        data: {
          ...fixed,
          date,
          ...selected,
          [list]: entry,
          ...(all === undefined ? {} : { all: isAll ? matching : null })
        },
        prose: { ...fixed, date, ...shortened(selected), [list]: entry, ...(isAll ? { all: matching } : {}) },
        list: { entries, corpus, columns }
      }
    }
  }
}

function compileList(surface: Surface<CollectionAnswer>, corpus: Corpus): Pure {
  const { filters, limit, order, page, list, fixed, fields } = surface.answer
  const sortedBy = order.length === 0 ? corpus.order : order
  const conditionsOf = compileConditions(corpus, filters)
  const selection = compileSelection(corpus, filters)
  const choose = compileFieldset(corpus, fields)
  const paged = page === undefined ? undefined : compilePager(page, corpus, sortedBy)
  const { formats: names, route } = surface
  const formatsOf = compileFormatUrls(route.path, names)
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
          ...formatsOf(query),
          returned: found.length,
          [list]: found.map(show)
        },
        list: { entries: found.map(whole), corpus, columns },
        next
      }
    }
  }
}

export function compileCollection(
  surface: Surface<CollectionAnswer>,
  given: KindDependencies<'corpora'>
): ContentSource {
  const { corpus: name, pick } = surface.answer
  const declared = corpusOf(given, name)
  // The entry of the day must be the same in every language, so it is picked in the order of the default language.
  const inOneOrder = (corpus: Corpus): Corpus => ({
    ...corpus,
    entries: declared.entries.map(entry => corpus.byKey.get(entry[declared.key] as string) ?? entry)
  })
  return compilePerLanguage(declared, corpus =>
    pick === 'daily' ? compilePick(surface.answer, inOneOrder(corpus)) : compileList(surface, corpus)
  )
}
