import { suggestion } from '../../diagnostics/suggest.ts'
import { parseSegments } from '../../manifest/route.ts'
import { meets } from '../../manifest/target.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/**
 * M428: a redirect leads to a path that the service answers. Another origin, and manifests with mistakes, are not
 * looked at.
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
