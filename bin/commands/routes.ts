import type { Surface } from '../../core/manifest/surface.ts'
import type { Segment } from '../../core/manifest/paths.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { printAs } from '../io.ts'
import { table } from '../table.ts'

const formats = ['table', 'json'] as const

/**
 * Returns a key that sorts routes in the order in which the index tries them: at each position literal segments come
 * before placeholders.
 */
const matchKey = (segments: readonly Segment[]): string =>
  segments.map(segment => ('placeholder' in segment ? '\u0002' : `\u0001${segment.literal}`)).join('\u0000')

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const routesOf = (surfaces: readonly Surface[]): { method: string; path: string; id: string; kind: string }[] =>
  surfaces
    .flatMap(({ route, id, kind }) =>
      route.methods.map(method => ({ key: matchKey(route.segments), method, path: route.path, id, kind }))
    )
    .sort((a, b) => compare(a.key, b.key) || compare(a.method, b.method))
    .map(({ method, path, id, kind }) => ({ method, path, id, kind }))

export const routes = defineCommand<[], RootOptions & { format: (typeof formats)[number] }>({
  name: 'routes',
  group: 'look',
  summary: 'List the routes in the order they match.',
  description: [
    'Lists each method and path with the surface that answers, in the order in which they are tried.',
    'HEAD follows GET, and OPTIONS is answered for every path; neither is listed. `page#form` is a form of a page.'
  ],
  options: [rootOption(), choice('--format <format>', 'Form of the output.', formats, 'table')],
  examples: [
    ['pantry routes', 'Which surface answers which path.'],
    ['pantry routes --root ./library --format json', 'The routes of another root.']
  ],
  exits: { 1: 'The manifests have errors.' },
  async run(_args, options, io) {
    const { requireRegistry } = await import('../read-registry.ts')
    const { registry } = await requireRegistry(options.root, io)
    const found = routesOf([...registry.surfaces, ...registry.forms])
    printAs(io.stdout, options.format, found, () =>
      table(
        ['METHOD', 'PATH', 'SURFACE', 'KIND'],
        found.map(({ method, path, id, kind }) => [method, path, id, kind])
      )
    )
    return 0
  }
})
