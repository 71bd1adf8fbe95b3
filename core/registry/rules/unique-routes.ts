import { routeShape } from '../../manifest/route.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/** M401: one surface per method and path, whatever its placeholders are called. */
export const uniqueRoutes: SurfaceRule = surfaces => {
  const first = new Map<string, string>()
  return surfaces.flatMap(({ surface, file }) => surface.route.methods.flatMap(method => {
    const shape = `${method} ${routeShape(surface.route.path)}`
    const other = first.get(shape)
    if (other === undefined) {
      first.set(shape, surface.origin.file)
      return []
    }
    const isRenamed = surfaces.some(one => one.surface.origin.file === other && one.surface.route.path !== surface.route.path)
    return [report(file.source, 'M401', ['path'], `${method} ${surface.route.path} is already declared in ${other}.`, {
      hint: isRenamed ? 'Paths that differ only in the names of placeholders are the same route.' : 'Change one of the two paths, or delete one of the files.'
    })]
  }))
}
