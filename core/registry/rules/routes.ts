import { suggestion } from '../../diagnostics/suggest.ts'
import { meets, parseSegments, parseTarget, routeShape } from '../../manifest/paths.ts'
import { isForAgents, surfaceAt, type Surface } from '../../manifest/surface.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { report, type Pointer } from '../../source/report.ts'
import { reportUnknown, type ReferenceRule, type SurfaceRule } from '../draft.ts'

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

/** M426: the successor that a deprecated surface names must be an existing surface. */
export const knownSuccessor: ReferenceRule = ({ manifests, names }) =>
  manifests.flatMap(({ source, manifest: { deprecation } }) => {
    const successor = deprecation?.successor
    return successor === undefined || names.surfaces.has(successor)
      ? []
      : [reportUnknown(source, 'M426', ['deprecation', 'successor'], 'surface', successor, names.surfaces)]
  })

/**
 * M431: each tool that an MCP endpoint offers must be a surface that agents may call, and each resource a surface that
 * answers GET. Manifests with errors are accepted as targets.
 */
export const knownTools: SurfaceRule = (surfaces, { manifests, names, service }) => {
  const served = surfaces.map(({ surface }) => surface)
  const byId = new Map(served.map(surface => [surface.id, surface]))
  const paths = manifests.map(({ manifest: { path } }) => path)
  return surfaces.flatMap(({ surface: { offers }, file: { source } }) => [
    ...Object.entries(offers?.tools ?? {}).flatMap(([name, id]) => {
      const surface = byId.get(id)
      if (surface === undefined)
        return names.surfaces.has(id)
          ? []
          : [reportUnknown(source, 'M431', ['tools', name], 'surface', id, names.surfaces)]
      return isForAgents(surface, service)
        ? []
        : [
            report(
              source,
              'M431',
              ['tools', name],
              `\`${id}\` is no tool: it is a page, not for agents, or says \`agent: never\`.`
            )
          ]
    }),
    ...Object.entries(offers?.resources ?? {}).flatMap(([name, path]) => {
      const target = parseTarget(path)
      if (paths.includes(path) || (target !== undefined && surfaceAt(served, target) !== undefined)) return []
      return [
        report(source, 'M431', ['resources', name], `No surface answers \`${path}\`.`, {
          hint: suggestion(path, paths)
        })
      ]
    })
  ])
}

/**
 * M430: each request that a page makes must be answered by a surface, as JSON. A path of a manifest with errors is
 * accepted.
 */
export const shownSurfaces: SurfaceRule = (surfaces, { manifests }) => {
  const served = surfaces.flatMap(({ surface }) => (surface.formOf === undefined ? [surface] : []))
  const pathsOf = (asked: 'GET' | 'POST'): string[] =>
    manifests.flatMap(({ manifest: { path, method = 'GET' } }) => ([method].flat().includes(asked) ? [path] : []))
  return surfaces.flatMap(({ surface: { page, formOf }, file }) =>
    // What a form shows is said once, by its page.
    (formOf === undefined ? (['shows', 'besides'] as const) : (['sends'] as const)).flatMap(list =>
      [page?.[list] ?? []].flat().flatMap(target => {
        // If the target is a whole URL from an earlier answer, it is known only at run time.
        if (target.whole !== undefined) return []
        const [asked = ''] = target.text.split(/[?]|\{[?&]/)
        const method = list === 'sends' ? 'POST' : 'GET'
        const surface = surfaceAt(served, target, method)
        if (surface?.formats.includes('json') === true || (surface === undefined && pathsOf(method).includes(asked)))
          return []
        return [
          report(
            file.source,
            'M430',
            [list],
            `No surface answers ${method === 'POST' ? 'POST at ' : ''}\`${asked}\` with JSON.`,
            {
              hint: suggestion(
                asked,
                pathsOf(method).filter(path => path !== asked)
              )
            }
          )
        ]
      })
    )
  )
}
