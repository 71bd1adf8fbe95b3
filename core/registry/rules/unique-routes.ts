import { routeShape } from '../../manifest/route.ts'
import type { Surface } from '../../manifest/surface.ts'
import { report } from '../../source/report.ts'
import type { Pointer } from '../../source/source-file.ts'
import type { SurfaceRule } from './rule.ts'

/** M401: only one surface per method and path; the names of placeholders do not matter. */
export const uniqueRoutes: SurfaceRule = surfaces => {
  const first = new Map<string, string>()
  const places = ({ route: { path, aliases } }: Surface): (readonly [path: string, at: Pointer])[] => [
    [path, ['path']],
    ...aliases.map((alias, index) => [alias.path, ['aliases', index]] as const)
  ]
  return surfaces.flatMap(({ surface, file }) =>
    places(surface).flatMap(([path, at]) =>
      surface.route.methods.flatMap(method => {
        const shape = `${method} ${routeShape(path)}`
        const other = first.get(shape)
        if (other === undefined) {
          first.set(shape, surface.origin.file)
          return []
        }
        const isRenamed =
          path.includes('{') &&
          surfaces.some(one => one.surface.origin.file === other && one.surface.route.path !== path)
        return [
          report(file.source, 'M401', at, `${method} ${path} is already declared in ${other}.`, {
            hint: isRenamed
              ? 'Paths that differ only in the names of placeholders are the same route.'
              : 'Change one of the two paths, or delete one of the files.'
          })
        ]
      })
    )
  )
}
