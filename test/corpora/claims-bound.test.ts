// test: slow.
import t from 'tap'
import { tryClaims } from '../../bin/promises/claims.ts'
import { joinTables, packageFolder } from '../../bin/roots.ts'
import { valueAt } from '../../core/canonical/pointer.ts'
import { kinds } from '../../core/kinds/index.ts'
import { matchesRoute, parseSegments } from '../../core/manifest/paths.ts'
import type { Claim } from '../../core/manifest/claim.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { compileGeneration, type Generation } from '../../core/plan/generation.ts'
import { readClaims } from '../../core/registry/claims.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { gapClaims } from '../support/gap-claims.ts'
import { registryOf } from '../support/registry.ts'
import { serveGeneration } from '../support/serve-root.ts'

const { roots, registry } = await registryOf()
const handlers = joinTables(roots)

/** The service over another registry and no database, which is enough to say whether there is a surface. */
const changed = (registry: Registry): Generation =>
  compileGeneration({
    registry,
    kinds,
    handlers,
    services: {},
    observe: now => ({ now, startedAt: now, subsystems: {} }),
    onFault: () => undefined
  })

/** What a claim asks, or the first request of its command. Values of earlier answers stand for themselves. */
function requestOf({ runs, path, ...claim }: Claim, value: unknown): Claim & Readonly<{ path: string }> {
  const command = runs === undefined ? '' : (valueAt(value, runs) as string)
  const asked = {
    ...claim,
    path: path ?? /\$ORIGIN([^\s"'?]*)/.exec(command)?.[1] ?? '',
    ...(/ (?:-d|--data|--json|-X POST) /.test(command) ? { method: 'POST' as const } : {})
  }
  return JSON.parse(JSON.stringify(asked).replaceAll('$', '')) as typeof asked
}

const surfaceOf = (path: string, method: string): Surface | undefined =>
  [...registry.surfaces, ...registry.forms].find(
    ({ route }) =>
      route.methods.some(one => one === method) &&
      [route, ...route.aliases].some(one => matchesRoute(parseSegments(path), one.segments))
  )

/** The registry without a surface, or with another in its place. */
const withFor = (gone: Surface, instead: readonly Surface[] = []): Registry => ({
  ...registry,
  surfaces: [...registry.surfaces.filter(one => one !== gone), ...(registry.forms.includes(gone) ? [] : instead)],
  forms: [...registry.forms.filter(one => one !== gone), ...(registry.forms.includes(gone) ? instead : [])]
})

/** The registry with one surface more, at a path. */
function withMore(path: string, method: string): Registry {
  const [model] = registry.surfaces.filter(({ id }) => id === 'hospitality/welcome')
  if (model === undefined) throw new Error('There is no surface to copy.')
  const route = { ...model.route, path, segments: parseSegments(path), aliases: [], methods: [method] as never }
  return { ...registry, surfaces: [...registry.surfaces, { ...model, id: 'one-more', route }] }
}

/** The smallest change of the registry that makes the status of a claim another one, by a name. */
function changeFor({ method = 'GET', status = 200, path: asked = '' }: Claim): readonly [string, () => Registry] {
  const path = asked.split('?')[0] ?? asked
  const surface = surfaceOf(path, method)
  if (status === 404 || surface === undefined) return [`${method} ${path} added`, () => withMore(path, method)]
  // The code of a page asks for a session itself.
  if ((status === 401 || status === 403) && surface.kind !== 'page')
    return [`${surface.id} opened`, () => withFor(surface, [{ ...surface, access: ['public'] }])]
  return [`${surface.id} removed`, () => withFor(surface)]
}

t.test('every claim and every check of a gap fails when the surface that it is about is another', async t => {
  const { texts, diagnostics } = readClaims(registry, [{ folder: packageFolder }])
  t.same(diagnostics, [])
  const served = await serveGeneration(t, changed(registry))
  const worlds = new Map<string, { registry: () => Registry; about: (() => Promise<void>)[] }>()
  for (const text of [...texts, ...gapClaims(registry)])
    for (const [index, claim] of text.claims.entries()) {
      const alone = requestOf(claim, text.value)
      const [name, registry] = changeFor(alone)
      const world = worlds.get(name) ?? { registry, about: [] }
      worlds.set(name, world)
      world.about.push(async () => {
        const { broken } = await tryClaims(
          { ...text, claims: [alone] },
          { ask: served.get, headersOf: () => Promise.resolve({}) }
        )
        t.match(broken[0]?.message, / answered \d+ instead of /, `${text.id} ${index}: ${name}`)
      })
    }
  t.ok(worlds.size > 50)
  for (const { registry, about } of worlds.values()) {
    served.app.generation = changed(registry())
    for (const fails of about) await fails()
  }
})
