import { propertiesOf } from '../../manifest/entry-fields.ts'
import { routeShape } from '../../manifest/route.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/** Paths that the process answers itself, before routing. */
const probes = ['/livez', '/readyz']

/**
 * M404: a route that no request reaches. Literal text in a path wins over a placeholder, so a route is unreachable if
 * every allowed value of its placeholder has a route of its own.
 */
export const reachableRoutes: SurfaceRule = surfaces => {
  const shapes = new Set(
    surfaces.flatMap(({ surface }) =>
      surface.route.methods.map(method => `${method} ${routeShape(surface.route.path)}`)
    )
  )
  return surfaces.flatMap(({ surface, file }) => {
    const { path, aliases, placeholders, methods } = surface.route
    const probe = [path, ...aliases.map(alias => alias.path)].find(one => probes.includes(one))
    if (probe !== undefined)
      return [
        report(
          file.source,
          'M404',
          [probe === path ? 'path' : 'aliases'],
          `\`${probe}\` is answered by the runtime itself.`,
          { hint: 'Choose another path.' }
        )
      ]
    const covered = placeholders.find(name => {
      const values = propertiesOf(surface.input.params)[name]?.['enum'] as string[] | undefined
      return (
        values !== undefined &&
        values.length > 0 &&
        values.every(value =>
          methods.every(method => shapes.has(`${method} ${routeShape(path.replace(`{${name}}`, value))}`))
        )
      )
    })
    return covered === undefined
      ? []
      : [
          report(
            file.source,
            'M404',
            ['path'],
            `Every value of \`{${covered}}\` has a route of its own, so this one is never reached.`,
            { hint: 'Delete this surface, or the others.' }
          )
        ]
  })
}
