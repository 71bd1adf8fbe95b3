import { suggestion } from '../../diagnostics/suggest.ts'
import { parseSegments } from '../../manifest/route.ts'
import type { Segment } from '../../manifest/surface.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/** Whether a request for `location` can meet the route: a placeholder of the route takes anything, a literal only itself. */
const meets = (location: readonly Segment[], route: readonly Segment[]): boolean => location.length === route.length
  && route.every((segment, at) => 'placeholder' in segment || segment.literal === (location[at] as { literal?: string }).literal)

/** M428: a redirect leads to a path that the service answers. Another origin, and manifests with mistakes, are not looked at. */
export const knownLocations: SurfaceRule = (surfaces, { manifests }) => {
  const paths = manifests.flatMap(({ manifest: { path, aliases = [] } }) => [path, ...aliases])
  return surfaces.flatMap(({ surface: { fixed }, file }) => {
    const location = fixed?.location?.split(/[?#]/)[0]
    if (location === undefined || !location.startsWith('/') || paths.some(path => meets(parseSegments(location), parseSegments(path)))) return []
    return [report(file.source, 'M428', ['location'], `No surface answers \`${location}\`.`, { hint: suggestion(location, paths) })]
  })
}
