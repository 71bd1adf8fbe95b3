import { canonicalize } from '../../core/canonical/canonical-json.ts'
import { routeShape } from '../../core/manifest/paths.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import type { Corpus } from '../../core/corpus/corpus.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { additive, breaking, documentation, impacts, missingFrom, type Change, type Difference } from './change.ts'
import { compareSurfaces } from './surfaces.ts'

const at = (subject: string, differences: readonly Difference[]): Change[] =>
  differences.map(difference => ({ subject, ...difference }))

/** Maps method and path shape to the surface. A renamed placeholder does not change the key. */
const operations = ({ surfaces }: Registry): Map<string, Surface> =>
  new Map(
    surfaces.flatMap(surface =>
      surface.route.methods.map(method => [`${method} ${routeShape(surface.route.path)}`, surface] as const)
    )
  )

const nameOf = (key: string, surface: Surface): string => `${key.split(' ', 1)[0] ?? ''} ${surface.route.path}`

function compareOperations(base: Registry, head: Registry): Change[] {
  const [before, after] = [operations(base), operations(head)]
  const compared = new Set<Surface>()
  const gone = [...before]
    .filter(([key]) => !after.has(key))
    .flatMap(([key, surface]) => at(nameOf(key, surface), [breaking('is no longer served')]))
  return [
    ...gone,
    ...[...after].flatMap(([key, surface]) => {
      const known = before.get(key)
      if (known === undefined) return at(nameOf(key, surface), [additive('is new')])
      // A surface with several methods is compared only once.
      if (compared.has(surface)) return []
      compared.add(surface)
      return at(nameOf(key, surface), compareSurfaces(known, surface, { base, head }))
    })
  ]
}

const keyed = (words: Readonly<Record<string, unknown>>): string[] => Object.keys(words)

function compareService({ service: base }: Registry, { service: head }: Registry): Change[] {
  const vocabulary = (name: string, from: readonly string[], to: readonly string[]): Difference[] => [
    ...missingFrom(to, from).map(word => breaking(`${name} ${word} is gone`)),
    ...missingFrom(from, to).map(word => additive(`${name} ${word} is new`))
  ]
  const identity = ['id', 'encoding', 'spec_version'] as const
  const texts = [
    'name',
    'version',
    'summary',
    'description',
    'contact',
    'rate_policy',
    'invariants',
    'envelope',
    'index'
  ] as const
  return at('service', [
    ...identity
      .filter(field => base[field] !== head[field])
      .map(field => breaking(`${field} changes from ${base[field]} to ${head[field]}`)),
    ...vocabulary('license tier', keyed(base.tiers), keyed(head.tiers)),
    ...vocabulary('freshness key', keyed(base.freshness), keyed(head.freshness)),
    ...vocabulary('source', keyed(base.sources), keyed(head.sources)),
    ...vocabulary(
      'link relation',
      base.links.map(link => link.rel),
      head.links.map(link => link.rel)
    ),
    ...texts
      .filter(field => canonicalize(base[field]) !== canonicalize(head[field]))
      .map(field => documentation(`${field} changes`))
  ])
}

/**
 * Compares entries of corpora. A removed entry that has its own path is a broken link; other changes only affect texts.
 */
function compareCorpora(base: Registry, head: Registry): Change[] {
  const addressed = new Set(base.surfaces.flatMap(({ shows }) => (shows?.as === 'one' ? [shows.corpus] : [])))
  return [...base.corpora.values()].flatMap(before => {
    const after: Corpus | undefined = head.corpora.get(before.name)
    if (after === undefined) return []
    const [from, to] = [[...before.byKey.keys()], [...after.byKey.keys()]]
    const changed = from.filter(key => {
      const [old, now] = [before.byKey.get(key), after.byKey.get(key)]
      return old !== undefined && now !== undefined && canonicalize(old) !== canonicalize(now)
    })
    return at(`corpus ${before.name}`, [
      ...missingFrom(to, from).map(key =>
        (addressed.has(before.name) ? breaking : documentation)(`entry ${key} is gone`)
      ),
      ...missingFrom(from, to).map(key => additive(`entry ${key} is new`)),
      ...changed.map(key => documentation(`entry ${key} changes`))
    ])
  })
}

/** Returns all differences that a client can notice, the most severe first. */
export const compareRegistries = (base: Registry, head: Registry): Change[] => {
  const all = [...compareService(base, head), ...compareOperations(base, head), ...compareCorpora(base, head)]
  return impacts.flatMap(impact => all.filter(change => change.impact === impact))
}
