import type { Corpus, Entry } from '../corpus/corpus.ts'
import { compilePathTo } from '../manifest/path-to.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

/** Forms that a person reads, the best first. */
const readable = ['html', 'txt', 'md']

const formOf = ({ formats }: Surface): string => {
  const format = readable.find(name => formats.includes(name))
  return format === undefined || format === formats[0] ? '' : `?format=${format}`
}

/**
 * Where a person reads an entry of a list: at the surface of one entry of its corpus, where there is one, else in the
 * list. Absolute.
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
