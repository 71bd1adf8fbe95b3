import type { Corpus, Entry } from '../corpus/corpus.ts'
import { compilePathTo } from '../manifest/paths.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

/** Formats that people read, in order of preference. */
const readable = ['html', 'txt', 'md']

const formOf = ({ formats }: Surface): string => {
  const format = readable.find(name => formats.includes(name))
  return format === undefined || format === formats[0] ? '' : `?format=${format}`
}

/**
 * Returns a function that gives the absolute URL at which a person reads an entry: the surface that shows one entry of
 * the corpus, or the path of the list where no such surface exists.
 */
export function compileReadAt(
  surface: Surface,
  { surfaces, byId, service }: Registry
): (corpus: Pick<Corpus, 'name' | 'key'>, path: string) => (entry: Entry) => string {
  const pathTo = compilePathTo(byId)
  return ({ name, key }, path) => {
    const one = surfaces.find(
      ({ shows, route }) => shows?.as === 'one' && shows.corpus === name && route.placeholders.length === 1
    )
    const [placeholder = ''] = one?.route.placeholders ?? []
    return entry =>
      service.base_url +
      (one === undefined
        ? `${path}${formOf(surface)}`
        : pathTo(one.id, { [placeholder]: (entry[key] as string).toWellFormed() }) + formOf(one))
  }
}
