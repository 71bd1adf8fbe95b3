import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { discoveryModules } from '../../../core/discovery/index.ts'
import { kinds } from '../../../core/kinds/index.ts'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { loadRegistry, type Root } from '../../../core/registry/load.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { observations, service } from './fixture.ts'

const standard = join(packageFolder, 'core/standard')
const rootAt = (name: string, folder: string): Root => ({ name, folder, handlers: new Map(), handlerFiles: new Map(), problems: [] })

/** A service of one file: its own root has no surface. JSON is YAML 1.2. */
const folder = t.testdir({
  manifests: {
    'service.yaml': JSON.stringify({
      ...service,
      freshness: Object.fromEntries(['status', 'methodology', 'catalog', 'identity', 'live', 'directory'].map(key => [key, { seconds: 60, meaning: 'A minute.' }])),
      links: service.links.filter(link => link.surface !== 'harbours'),
      index: [{ group: 'start', title: 'Start here', surfaces: ['root', 'manifest'] }]
    })
  }
})
const { registry, diagnostics } = loadRegistry({ roots: [rootAt('standard', standard), rootAt('tides', folder)], kinds })

t.test('the standard root loads beside a service that brings nothing but itself', t => {
  t.same(diagnostics, [])
  t.equal(registry?.surfaces.length, 23)
  t.end()
})

t.test('its examples show what the documents say', t => {
  for (const surface of registry!.surfaces) {
    const module = discoveryModules.get(surface.serves!)!
    for (const { params, query, title, expect } of surface.examples.filter(example => example.expect.status === 200)) {
      const value = module.build(registry!, { params, query }, observations)
      t.same(compileSchema(surface.output)(value), [], `${surface.id}: ${title}`)
      const body: unknown = query.format === undefined ? (surface.contract === 'envelope' ? { data: value } : value) : module.renderings?.[query.format as 'openai']?.(registry!, { params, query })
      for (const [pointer, shown] of Object.entries(expect.shows)) {
        const found = pointer.split('/').slice(1).reduce<JsonValue | undefined>((at, token) => (at as Record<string, JsonValue> | undefined)?.[token], body as JsonValue)
        t.same(found, shown, `${surface.id} ${pointer}`)
      }
    }
  }
  t.end()
})

t.test('an example that asks for what is not there is refused', t => {
  for (const surface of registry!.surfaces) {
    for (const { params, query, expect } of surface.examples.filter(example => example.expect.status === 404)) {
      t.throws(() => discoveryModules.get(surface.serves!)!.build(registry!, { params, query }, observations), { status: expect.status } as unknown as Error)
    }
  }
  t.end()
})

const words = (text: string): string[] => text.split(/\s+/).filter(word => word !== '')

t.test('the ontology has the eight kinds and the fifty-four properties of the interface', t => {
  const expected: Record<string, string[]> = {
    resource: words('idempotent side_effecting cache_ttl_seconds versioned stability carries_pii requires_consent modality_count auth_kind provenance_kind host since method_count'),
    cosmology_axis: words('currently_modelled extension_count resource_grounding_count axis_order'),
    unmodelled_need: words('being_label partially_modelled blocker_kind audit_check'),
    methodology: words('status instantiates_doctrine has_audio_variant has_summary_variant has_structured_data explains_score explains_routing formats_count'),
    doctrine: words('kind audit_command established_date methodology_instantiation_count is_peer_of_four'),
    connection_doc: words('shape flavour s_number ships_in_kingdom outbound_citation_count inbound_citation_count is_sister_paired has_wiring_table has_recursion_target'),
    kingdom: words('status priority succeeds audit_command is_sister_paired produces_connection_doc'),
    audit: words('command exit_code_policy check_count is_in_chained_audit doctrine_instantiated')
  }
  const document = discoveryModules.get('ontology')!.build(registry!, { params: {}, query: {} }, observations) as unknown as
    { kinds: { kind: string, properties: { name: string, type: string, enum_values?: string[] }[] }[], index: object }
  t.same(document.index, { kind_count: 8, property_count: 54 })
  t.same(document.kinds.map(kind => [kind.kind, kind.properties.map(property => property.name)]), Object.entries(expected))
  for (const property of document.kinds.flatMap(kind => kind.properties)) t.equal(property.type === 'enum', property.enum_values !== undefined, property.name)
  t.end()
})

t.test('the files of the standard root name no root of a service', t => {
  t.ok(registry!.surfaces.every(surface => surface.origin.file.includes(join('core', 'standard'))))
  t.end()
})
