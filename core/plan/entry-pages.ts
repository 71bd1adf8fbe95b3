import type { JsonValue } from '../canonical/json.ts'
import { originOf } from '../canonical/url.ts'
import { memoize } from '../canonical/work.ts'
import { referredFields, type Corpus } from '../corpus/corpus.ts'
import { textOf, type View } from '../format/format.ts'
import { compilePathTo } from '../manifest/paths.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

/** Formats that people read, in order of preference. */
const readable = ['html', 'txt', 'md']

const formOf = ({ formats }: Surface): string => {
  const format = readable.find(name => formats.includes(name))
  return format === undefined || format === formats[0] ? '' : `?format=${format}`
}

/** Where one entry of a corpus is shown: the surface, and the path of the entry with a key. */
type EntryPage = Readonly<{ surface: Surface; isReadable: boolean; pathOf: (key: JsonValue | undefined) => string }>

const entryPages = memoize(({ surfaces, byId }: Registry): ReadonlyMap<string, EntryPage> => {
  const pathTo = compilePathTo(byId)
  const pages = new Map<string, EntryPage>()
  for (const surface of surfaces) {
    const { shows, route, id, formats } = surface
    const [placeholder, ...others] = route.placeholders
    if (shows?.as !== 'one' || pages.has(shows.corpus) || placeholder === undefined || others.length > 0) continue
    pages.set(shows.corpus, {
      surface,
      isReadable: readable.some(format => formats.includes(format)),
      pathOf: key => pathTo(id, { [placeholder]: textOf(key).toWellFormed() }) + formOf(surface)
    })
  }
  return pages
})

type Addresses = Pick<NonNullable<View['list']>, 'readAt' | 'pageOf' | 'pagesIn'>

/**
 * Returns a function that makes the addresses at which a person reads the entries of an answer, and those that their
 * fields name (`x-corpus`): of the surface that shows one entry of the corpus, or, for `readAt`, else of the list.
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
          return page?.isReadable === true ? [[field, page.pathOf] as const] : []
        })
      )
  )
  return ({ name, key, schema }, path) => {
    const one = pages.get(name)
    return {
      pagesIn: pagesIn(schema),
      readAt: one === undefined ? () => `${origin}${path}${formOf(surface)}` : entry => origin + one.pathOf(entry[key]),
      ...(one?.isReadable !== true || one.surface === surface ? {} : { pageOf: entry => one.pathOf(entry[key]) })
    }
  }
}
