import type { JsonValue } from '../canonical/json.ts'
import { originOf } from '../canonical/url.ts'
import { memoize } from '../canonical/work.ts'
import { referredFields, type Corpus } from '../corpus/corpus.ts'
import { textOf, type View } from '../format/format.ts'
import { compilePathTo } from '../manifest/paths.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { listsNaming, showingOne, type NamingList } from '../registry/relations.ts'
import { maxPathLength } from './dispatch.ts'
import type { Result } from './kind.ts'

/** Formats that people read, in order of preference. */
const readable = ['html', 'txt', 'md']

const formOf = ({ formats }: Surface): string => {
  const format = readable.find(name => formats.includes(name))
  return format === undefined || format === formats[0] ? '' : `?format=${format}`
}

const isReadable = ({ formats }: Surface): boolean => readable.some(format => formats.includes(format))

type PathOf = (key: JsonValue | undefined) => string

/** Where one entry of a corpus is shown: the surface, the path of the entry with a key, and that of its page. */
type EntryPage = Readonly<{ surface: Surface; pathOf: PathOf; pageOf: PathOf }>

const entryPages = memoize(({ surfaces, byId }: Registry): ReadonlyMap<string, EntryPage> => {
  const pathTo = compilePathTo(byId)
  return new Map(
    [...showingOne(surfaces)].map(([corpus, { surface, placeholder }]) => {
      const pathOf: PathOf = key => pathTo(surface.id, { [placeholder]: textOf(key).toWellFormed() })
      return [corpus, { surface, pathOf, pageOf: key => pathOf(key) + formOf(surface) }]
    })
  )
})

/** Returns the path of a list of the entries that name the one with a key. */
const pathOfList = ({ surface, parameter }: NamingList, key: JsonValue | undefined): string =>
  `${surface.route.path}?${new URLSearchParams({ [parameter]: textOf(key) }).toString()}`

/**
 * Returns a function that makes the paths to which the answer with one row of a table leads: of the rows that its
 * columns name, and of the lists of the rows that name it. Pages and OpenAPI lead from entries in files, too.
 */
export function compileRelated(surface: Surface, registry: Registry): (result: Result) => readonly string[] {
  const { shows } = surface
  const corpus = registry.corpora.get(shows?.corpus ?? '')
  if (shows?.as !== 'one' || corpus?.table === undefined) return () => []
  const pages = entryPages(registry)
  const fields = referredFields(corpus.schema).filter(({ isList }) => !isList)
  const lists = listsNaming(surface, registry.surfaces)
  return ({ list }) => {
    const [row] = list?.entries ?? []
    if (row === undefined) return []
    const named = fields.flatMap(({ field, corpus: other }) => {
      const key = row[field] ?? null
      return key === null ? [] : (pages.get(other)?.pathOf(key) ?? [])
    })
    const paths = [...named, ...lists.map(one => pathOfList(one, row[corpus.key]))]
    return [...new Set(paths)].filter(({ length }) => length <= maxPathLength)
  }
}

type Addresses = Pick<NonNullable<View['list']>, 'readAt' | 'pageOf' | 'pagesIn' | 'namedIn'>

/**
 * Returns a function that makes the addresses at which a person reads the entries of an answer, those that their fields
 * name (`x-corpus`), and those that name them: of the surface that shows one entry of the corpus, or, for `readAt`,
 * else of the list.
 */
export function compileEntryPages(
  surface: Surface,
  registry: Registry
): (corpus: Pick<Corpus, 'name' | 'key' | 'schema'>, path: string) => Addresses {
  const pages = entryPages(registry)
  const origin = originOf(registry.service.base_url)
  const pagesIn = memoize(
    (schema: Corpus['schema']): NonNullable<Addresses['pagesIn']> =>
      new Map(
        referredFields(schema).flatMap(({ field, corpus }) => {
          const page = pages.get(corpus)
          return page !== undefined && isReadable(page.surface) ? [[field, page.pageOf] as const] : []
        })
      )
  )
  const lists = listsNaming(surface, registry.surfaces).filter(one => isReadable(one.surface))
  const namedIn: Addresses['namedIn'] = (key: JsonValue | undefined) =>
    lists.map(one => ({
      title: one.surface.title,
      parameter: one.parameter,
      path: pathOfList(one, key) + formOf(one.surface).replace('?', '&')
    }))
  return ({ name, key, schema }, path) => {
    const one = pages.get(name)
    return {
      pagesIn: pagesIn(schema),
      ...(lists.length === 0 ? {} : { namedIn }),
      readAt: one === undefined ? () => `${origin}${path}${formOf(surface)}` : entry => origin + one.pageOf(entry[key]),
      ...(one === undefined || !isReadable(one.surface) || one.surface === surface
        ? {}
        : { pageOf: entry => one.pageOf(entry[key]) })
    }
  }
}
