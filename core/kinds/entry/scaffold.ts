import { placeholdersOf } from '../../manifest/paths.ts'
import { corpusFiles } from '../corpus-files.ts'
import { wordsOf } from '../rights.ts'
import { defaultPath, nameOf, ScaffoldError, type Scaffold } from '../scaffold.ts'

/**
 * Scaffolds an entry surface. Its path is below the path of the surface that lists the same corpus, if there is one.
 */
export const scaffoldEntry: Scaffold = ({ id, path, corpus = nameOf(id) }, { registry }) => {
  const known = registry.corpora.get(corpus)
  const { license } = wordsOf(registry.service, known?.license)
  const list = registry.surfaces.find(({ shows }) => shows?.as === 'list' && shows.corpus === corpus)
  const route = path ?? `${list?.route.path ?? defaultPath(id)}/{${known?.key.replaceAll(/\W/g, '') ?? 'id'}}`
  const [key, ...others] = placeholdersOf(route)
  if (key === undefined || others.length > 0)
    throw new ScaffoldError(
      `The path of an \`entry\` surface has one placeholder, for the key of the entry, but it is \`${route}\`.`
    )
  const first = known === undefined ? 'first' : ([...known.byKey.keys()][0] ?? 'first')
  return {
    path: route,
    tier: license,
    provenance: 'static',
    fields: { corpus, key, member: 'entry' },
    examples: [{ title: 'One entry', params: { [key]: first } }],
    files: known === undefined ? corpusFiles(corpus, license) : {}
  }
}
