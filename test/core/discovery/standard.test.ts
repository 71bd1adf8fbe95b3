import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadRoots, packageFolder } from '../../../bin/roots.ts'
import { discoveryModules } from '../../../core/discovery/index.ts'
import { kinds } from '../../../core/kinds/index.ts'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { loadRegistry } from '../../../core/registry/load.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { observations, service } from './fixture.ts'

const standard = join(packageFolder, 'core/standard')

/** A service of one file: its own root has no surface. JSON is YAML 1.2. */
const folder = t.testdir({
  manifests: {
    'service.yaml': JSON.stringify({
      ...service,
      freshness: Object.fromEntries(
        ['status', 'methodology', 'catalog', 'identity', 'live', 'directory'].map(key => [
          key,
          { seconds: 60, meaning: 'A minute.' }
        ])
      ),
      links: service.links.filter(link => link.surface !== 'harbours'),
      index: [{ group: 'start', title: 'Start here', surfaces: ['root', 'manifest'] }]
    })
  }
})
const { registry, diagnostics } = loadRegistry({ roots: await loadRoots([folder]), kinds })
/** What is computed of the registry: a page only shows it. */
const documents = registry!.surfaces.filter(({ serves }) => serves !== undefined)

t.test('the standard root loads beside a service that brings nothing but itself', t => {
  t.same(diagnostics, [])
  t.equal(
    registry?.surfaces.length,
    readdirSync(join(standard, 'manifests'), { recursive: true }).filter(name => String(name).endsWith('.yaml'))
      .length - 1,
    'all but the description of a search, which it has not'
  )
  t.end()
})

t.test('its examples show what the documents say', t => {
  for (const surface of documents) {
    const module = discoveryModules.get(surface.serves!)!
    for (const { params, query, title, expect } of surface.examples.filter(example => example.expect.status === 200)) {
      const value = module.build(registry!, { params, query }, observations)
      t.same(compileSchema(surface.output)(value), [], `${surface.id}: ${title}`)
      const body: unknown =
        query.format === undefined || query.format === 'json'
          ? surface.contract === 'envelope'
            ? { data: value }
            : value
          : module.renderings?.[query.format as 'openai']?.(registry!, { params, query })
      for (const [pointer, shown] of Object.entries(expect.shows)) {
        const found = pointer
          .split('/')
          .slice(1)
          .reduce<JsonValue | undefined>(
            (at, token) => (at as Record<string, JsonValue> | undefined)?.[token],
            body as JsonValue
          )
        t.same(found, shown, `${surface.id} ${pointer}`)
      }
    }
  }
  t.end()
})

t.test('an example that asks for what is not there is refused', t => {
  for (const surface of documents) {
    for (const { params, query, expect } of surface.examples.filter(example => example.expect.status === 404)) {
      t.throws(() => discoveryModules.get(surface.serves!)!.build(registry!, { params, query }, observations), {
        status: expect.status
      } as unknown as Error)
    }
  }
  t.end()
})

t.test('the ontology of a service without concepts describes its surfaces', t => {
  t.match(discoveryModules.get('ontology')!.build(registry!, { params: {}, query: {} }, observations), {
    kinds: [{ kind: 'resource' }],
    index: { kind_count: 1, property_count: 12 }
  })
  t.end()
})

t.test('no document or schema has a word of another service', t => {
  // The files of pages have names that nobody can know before: their example is one that is not there.
  for (const surface of documents.filter(({ serves }) => serves !== 'assets')) {
    const params = Object.fromEntries(
      Object.entries(surface.examples.find(({ expect }) => expect.status === 200)?.params ?? {})
    )
    const value = discoveryModules.get(surface.serves!)!.build(registry!, { params, query: {} }, observations)
    t.notMatch(
      JSON.stringify([value, surface.output]),
      /xenoform|storefront|wholesale|cosmolog|doctrine|kingdom|wake|teapot/i,
      surface.id
    )
  }
  t.end()
})

t.test('the files of the standard root name no root of a service', t => {
  t.ok(registry!.surfaces.every(surface => surface.origin.file.includes(join('core', 'standard'))))
  t.end()
})
