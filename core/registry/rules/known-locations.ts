import { suggestion } from '../../diagnostics/suggest.ts'
import { parseSegments } from '../../manifest/route.ts'
import { meets } from '../../manifest/target.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/**
 * M428: a redirect must lead to a path that the service answers. Redirects to other origins are not checked. A path of
 * a manifest with errors is accepted as a target.
 */
export const knownLocations: SurfaceRule = (surfaces, { manifests }) => {
  const paths = manifests.flatMap(({ manifest: { path, aliases = [] } }) => [path, ...aliases])
  return surfaces.flatMap(({ surface: { fixed }, file }) => {
    const location = fixed?.location?.split(/[?#]/)[0]
    if (
      location === undefined ||
      !location.startsWith('/') ||
      paths.some(path => meets(parseSegments(location), parseSegments(path)))
    )
      return []
    return [
      report(file.source, 'M428', ['location'], `No surface answers \`${location}\`.`, {
        hint: suggestion(location, paths)
      })
    ]
  })
}
