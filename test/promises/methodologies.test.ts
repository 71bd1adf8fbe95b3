import t from 'tap'
import { applies, conceptsOf } from '../../core/discovery/concepts.ts'
import { textsIn } from '../../core/registry/claims.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

type Resource = Readonly<{ id: string; path: string; methodology_url: string | null }>
type Data = Readonly<Record<string, unknown>>

const segmentsOf = (path: string): readonly string[] => path.split('/').filter(Boolean)
const isAbove = (named: string, path: string): boolean => {
  const [above, below] = [segmentsOf(named), segmentsOf(path)]
  return above.every((segment, index) => segment === below[index] || /^\{.*\}$/.test(below[index] ?? ''))
}
const roots = new Set(['/', '/api', '/api/v1'])

t.test('a methodology is a text that names the surface, or the kind of surfaces that it is for', async t => {
  const { url } = await bundledDatabase(t)
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const read = async (path: string): Promise<Data> => {
    const response = await get(path)
    t.equal(response.status, 200, path)
    return (await response.json()) as Data
  }
  const { resources } = (await read('/api/v1/manifest')) as { resources: Record<string, readonly Resource[]> }
  const listed = Object.values(resources).flat()
  const methodologies = conceptsOf(registry).filter(({ kind }) => kind === 'methodology')
  const texts = new Map<string, string>()
  for (const path of new Set(listed.flatMap(({ methodology_url: path }) => path ?? []))) {
    const shown = registry.surfaces.find(({ route, kind }) => kind === 'discovery' && route.path === path)
    t.equal(shown, undefined, `${path}: a list of every surface explains none`)
    const body = await read(path)
    const own = Object.entries((body['data'] ?? body) as Data).filter(([name]) => !/^[_@]/.test(name))
    texts.set(path, textsIn(own).join('\n'))
  }
  for (const { id, path, methodology_url: explained } of listed) {
    const surface = registry.byId.get(id)
    if (explained === null || surface === undefined) continue
    const text = texts.get(explained) ?? ''
    const named = (text.match(/\/[\w.~{}/-]+/g) ?? []).map(found => found.replace(/[./]+$/, ''))
    const words = methodologies
      .filter(concept => concept.path === explained)
      .flatMap(({ appliesTo }) => appliesTo.filter(rule => applies(rule, surface)).map(({ value }) => value))
    t.ok(
      named.some(one => !roots.has(one) && isAbove(one, path)) ||
        words.some(word => new RegExp(`\\b${word}\\b`, 'i').test(text)),
      `${explained} speaks of ${path}`
    )
  }
  t.ok(listed.filter(({ methodology_url: path }) => path !== null).length > 70)
})
