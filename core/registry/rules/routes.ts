import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestionHint } from '../../diagnostics/suggest.ts'
import { matchesRoute, parseSegments, parseTarget, routeShape } from '../../manifest/paths.ts'
import { isForAgents, surfaceAt } from '../../manifest/surface.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { report, type Pointer, type SourceFile } from '../../source/report.ts'
import { checkName, type ReferenceRule, type SurfaceRule } from '../draft.ts'

/** M401: each method and path belongs to one surface. The names of placeholders do not make paths different. */
export const uniqueRoutes: SurfaceRule = function* (surfaces) {
  const first = new Map<string, string>()
  for (const { surface, file } of surfaces) {
    const paths: (readonly [path: string, at: Pointer])[] = [
      [surface.route.path, ['path']],
      ...surface.route.aliases.map(({ path }, index) => [path, ['aliases', index]] as const)
    ]
    for (const [path, at] of paths) {
      for (const method of surface.route.methods) {
        const shape = `${method} ${routeShape(path)}`
        const other = first.get(shape)
        if (other === undefined) {
          first.set(shape, surface.origin.file)
          continue
        }
        const isRenamed =
          path.includes('{') &&
          surfaces.some(({ surface: { origin, route } }) => origin.file === other && route.path !== path)
        yield report(file.source, 'M401', at, `${method} ${path} is already declared in ${other}.`, {
          hint: isRenamed
            ? 'Paths that differ only in the names of placeholders are the same route.'
            : 'Change one of the two paths, or delete one of the files.'
        })
      }
    }
  }
}

/** Paths that the process answers itself, before routing. */
const probes = ['/livez', '/readyz']

/**
 * M404: a route that no request reaches: at a path that the process answers itself, or with a placeholder of which
 * every allowed value has a route of its own, because literal text in a path wins over a placeholder.
 */
export const reachableRoutes: SurfaceRule = function* (surfaces) {
  const shapesOf = (path: string, methods: readonly string[]): string[] =>
    methods.map(method => `${method} ${routeShape(path)}`)
  const shapes = new Set(surfaces.flatMap(({ surface: { route } }) => shapesOf(route.path, route.methods)))
  for (const { surface, file } of surfaces) {
    const { path, aliases, placeholders, methods } = surface.route
    const probe = [path, ...aliases.map(alias => alias.path)].find(one => probes.includes(one))
    if (probe !== undefined) {
      const at = [probe === path ? 'path' : 'aliases']
      yield report(file.source, 'M404', at, `\`${probe}\` is answered by the runtime itself.`, {
        hint: 'Choose another path.'
      })
      continue
    }
    const covered = placeholders.find(name => {
      const values = propertiesOf(surface.input.params)[name]?.['enum'] as string[] | undefined
      const routes = values?.flatMap(value => shapesOf(path.replace(`{${name}}`, value), methods)) ?? []
      return routes.length > 0 && routes.every(shape => shapes.has(shape))
    })
    if (covered === undefined) continue
    const message = `Every value of \`{${covered}}\` has a route of its own, so this one is never reached.`
    yield report(file.source, 'M404', ['path'], message, { hint: 'Delete this surface, or the others.' })
  }
}

/**
 * M428: a redirect, and a link of the footer, must lead to a path that the service answers. Addresses of other origins
 * are not checked. A path of a manifest with errors is accepted as a target.
 */
export const knownLocations: SurfaceRule = function* (surfaces, { manifests, service, serviceSource }) {
  const paths = manifests.flatMap(({ manifest: { path, aliases = [] } }) => [path, ...aliases])
  function* checkPath(source: SourceFile, pointer: Pointer, target = ''): Generator<Diagnostic> {
    const [path = ''] = target.split(/[?#]/)
    if (path.startsWith('/') && !paths.some(one => matchesRoute(parseSegments(path), parseSegments(one))))
      yield report(source, 'M428', pointer, `No surface answers \`${path}\`.`, { hint: suggestionHint(path, paths) })
  }
  for (const { surface, file } of surfaces) yield* checkPath(file.source, ['location'], surface.fixed?.location)
  for (const [at, { href }] of (service.theme.footer ?? []).entries())
    yield* checkPath(serviceSource, ['theme', 'footer', at, 'href'], href)
}

/** M426: the successor that a deprecated surface names must be an existing surface. */
export const knownSuccessor: ReferenceRule = function* ({ manifests, names }) {
  for (const { source, manifest } of manifests) {
    const successor = manifest.deprecation?.successor
    if (successor !== undefined)
      yield* checkName(source, 'M426', ['deprecation', 'successor'], 'surface', successor, names.surfaces)
  }
}

/**
 * M431: each tool that an MCP endpoint offers must be a surface that agents may call, and each resource a surface that
 * answers GET. Manifests with errors are accepted as targets.
 */
export const knownTools: SurfaceRule = function* (surfaces, { manifests, names, service }) {
  const served = surfaces.map(({ surface }) => surface)
  const byId = new Map(served.map(surface => [surface.id, surface]))
  const paths = manifests.map(({ manifest: { path } }) => path)
  for (const { surface, file } of surfaces) {
    for (const [name, id] of Object.entries(surface.offers?.tools ?? {})) {
      const tool = byId.get(id)
      if (tool === undefined) yield* checkName(file.source, 'M431', ['tools', name], 'surface', id, names.surfaces)
      else if (!isForAgents(tool, service)) {
        const message = `\`${id}\` is no tool: it is a page, not for agents, or says \`agent: never\`.`
        yield report(file.source, 'M431', ['tools', name], message)
      }
    }
    for (const [name, path] of Object.entries(surface.offers?.resources ?? {})) {
      const target = parseTarget(path)
      if (!paths.includes(path) && (target === undefined || surfaceAt(served, target) === undefined))
        yield report(file.source, 'M431', ['resources', name], `No surface answers \`${path}\`.`, {
          hint: suggestionHint(path, paths)
        })
    }
  }
}

/**
 * M430: each request that a page or a form makes must be answered by a surface with JSON. A path of a manifest with
 * errors is accepted.
 */
export const shownSurfaces: SurfaceRule = function* (surfaces, { manifests }) {
  const served = surfaces.flatMap(({ surface }) => (surface.formOf === undefined ? [surface] : []))
  const pathsOf = (asked: 'GET' | 'POST'): string[] =>
    manifests.flatMap(({ manifest: { path, method = 'GET' } }) => ([method].flat().includes(asked) ? [path] : []))
  for (const { surface, file } of surfaces) {
    // A form shows what its page shows, and that is reported once, at the page.
    for (const list of surface.formOf === undefined ? (['shows', 'besides'] as const) : (['sends'] as const)) {
      for (const target of [surface.page?.[list] ?? []].flat()) {
        // If the target is a whole URL from an earlier answer, it is known only at run time.
        if (target.whole !== undefined) continue
        const [asked = ''] = target.text.split(/[?]|\{[?&]/)
        const method = list === 'sends' ? 'POST' : 'GET'
        const answering = surfaceAt(served, target, method)
        const paths = pathsOf(method)
        if (answering === undefined ? paths.includes(asked) : answering.formats.includes('json')) continue
        const place = `${method === 'POST' ? 'POST at ' : ''}\`${asked}\``
        yield report(file.source, 'M430', [list], `No surface answers ${place} with JSON.`, {
          hint: suggestionHint(
            asked,
            paths.filter(path => path !== asked)
          )
        })
      }
    }
  }
}
