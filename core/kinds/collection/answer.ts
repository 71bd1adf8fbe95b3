import type { JsonObject } from '../../canonical/json.ts'
import { known, type Context, type ManifestFile } from '../../manifest/kind.ts'
import type { AnswerFacts } from '../../manifest/surface.ts'
import type { CollectionManifest } from './manifest.ts'
import type { Paging } from './page.ts'

/** A query parameter, and the operation that compares its value with a field of the entry. */
export type Filter = Readonly<{ name: string; field: string; operation: string }>

export type CollectionAnswer = Readonly<{
  corpus: string
  filters: readonly Filter[]
  limit?: Readonly<{ default: number; maximum: number }>
  page?: Paging
  /** Fields to sort by; `-field` sorts from high to low. */
  order: readonly string[]
  /** Answers with one of the filtered entries: a different one each UTC day, the same for all callers. */
  pick?: 'daily'
  /** With `pick`: adds the query parameter `all`, which also returns every filtered entry. */
  all?: true
  /** Fields of an entry that are shown; all when absent. */
  fields?: readonly string[]
  /** Name of the list in the answer. */
  list: string
  /** Members before the list. */
  fixed: JsonObject
}>

/** Returns the filters, with the short form expanded. */
export const filtersOf = ({ filters = [] }: CollectionManifest): Filter[] =>
  filters.map(filter => (typeof filter === 'string' ? { name: filter, field: filter, operation: 'equals' } : filter))

export const listOf = ({ list, pick }: CollectionManifest): string => list ?? (pick === undefined ? 'entries' : 'entry')

export const answerOf = ({ manifest }: ManifestFile<CollectionManifest>, { corpora }: Context): CollectionAnswer => ({
  corpus: manifest.corpus,
  filters: filtersOf(manifest),
  ...(manifest.limit === undefined ? {} : { limit: manifest.limit }),
  ...(manifest.page === undefined ? {} : { page: manifest.page }),
  order: manifest.order ?? known(corpora.get(manifest.corpus), `corpus ${manifest.corpus}`).order,
  ...(manifest.pick === undefined ? {} : { pick: manifest.pick }),
  ...(manifest.all === undefined ? {} : { all: manifest.all }),
  ...(manifest.fields === undefined ? {} : { fields: manifest.fields }),
  list: listOf(manifest),
  fixed: (manifest.with ?? {}) as JsonObject
})

export const factsOf = ({ corpus, pick, list }: CollectionAnswer): Partial<AnswerFacts> => ({
  shows: { corpus, as: pick === undefined ? 'list' : 'choice', member: list }
})
