import t from 'tap'
import type { JsonObject } from '../../core/canonical/json.ts'
import { discoveryModules } from '../../core/discovery/index.ts'
import { extendValue } from '../../core/registry/registry.ts'
import { compileSchema } from '../../core/schema/compile.ts'
import { observations } from '../core/discovery/fixture.ts'
import { registryOf } from '../support/registry.ts'

const { registry } = await registryOf()
const words = (text: string): string[] => text.split(/\s+/).filter(word => word !== '')

t.test('the ontology has the eight kinds and the fifty-four properties of the interface', t => {
  const expected: Record<string, string[]> = {
    resource: words(
      'idempotent side_effecting cache_ttl_seconds versioned stability carries_pii requires_consent modality_count auth_kind provenance_kind host since method_count'
    ),
    cosmology_axis: words('currently_modelled extension_count resource_grounding_count axis_order'),
    unmodelled_need: words('being_label partially_modelled blocker_kind audit_check'),
    methodology: words(
      'status instantiates_doctrine has_audio_variant has_summary_variant has_structured_data explains_score explains_routing formats_count'
    ),
    doctrine: words('kind audit_command established_date methodology_instantiation_count is_peer_of_four'),
    connection_doc: words(
      'shape flavour s_number ships_in_kingdom outbound_citation_count inbound_citation_count is_sister_paired has_wiring_table has_recursion_target'
    ),
    kingdom: words('status priority succeeds audit_command is_sister_paired produces_connection_doc'),
    audit: words('command exit_code_policy check_count is_in_chained_audit doctrine_instantiated')
  }
  const document = discoveryModules
    .get('ontology')!
    .build(registry, { params: {}, query: {} }, observations) as unknown as {
    kinds: { kind: string; properties: { name: string; type: string; enum_values?: string[] }[] }[]
    index: object
  }
  t.same(document.index, { kind_count: 8, property_count: 54 })
  t.same(
    document.kinds.map(kind => [kind.kind, kind.properties.map(property => property.name)]),
    Object.entries(expected)
  )
  for (const property of document.kinds.flatMap(kind => kind.properties))
    t.equal(property.type === 'enum', property.enum_values !== undefined, property.name)
  t.end()
})

t.test(
  'the manifest says which axes there are, which needs are not met, which principles hold, and what each surface touches',
  t => {
    const built = discoveryModules
      .get('manifest')!
      .build(registry, { params: {}, query: {} }, observations) as JsonObject
    const manifest = extendValue(registry, 'manifest', built) as unknown as {
      cosmology: { axes: { axis: string; extensions: string[] }[]; unmodelled_needs: { name: string }[] }
      doctrines: { name: string }[]
      resources: Record<string, { cosmology_axes: string[] }[]>
    }
    t.strictSame(Object.keys(manifest).slice(4, 10), [
      'embassy',
      'cosmology',
      'methodology',
      'doctrines',
      'counts',
      'resources'
    ])
    const axes = new Set(manifest.cosmology.axes.map(({ axis }) => axis))
    const needs = new Set(manifest.cosmology.unmodelled_needs.map(({ name }) => name))
    t.ok(axes.size > 3 && needs.size > 3 && manifest.doctrines.length > 3)
    for (const { extensions } of manifest.cosmology.axes) t.ok(extensions.every(need => needs.has(need)))
    const touched = Object.values(manifest.resources)
      .flat()
      .map(({ cosmology_axes: touches }) => touches)
    t.equal(touched.length, registry.surfaces.length)
    t.ok(touched.some(touches => touches.length > 0))
    t.ok(touched.flat().every(axis => axes.has(axis)))
    t.strictSame(compileSchema(registry.byId.get('manifest')!.output)(manifest), [])
    t.end()
  }
)
