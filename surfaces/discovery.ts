import {
  conceptsFor,
  conceptsOf,
  isObject,
  nullable,
  NullableText,
  Type,
  type Concept,
  type DocumentExtension,
  type JsonObject,
  type JsonValue,
  type Registry
} from 'pantry/handler'

const Text = Type.String({ minLength: 1 })
const Texts = Type.Array(Text)
const OrNull = nullable(Text)
const closed = { additionalProperties: false }

const ofKind = (registry: Registry, kind: string): readonly Concept[] =>
  conceptsOf(registry).filter(concept => concept.kind === kind)
const textOf = ({ properties }: Concept, name: string): string | null =>
  typeof properties[name] === 'string' ? properties[name] : null
const placeOf = ({ properties }: Concept): number =>
  typeof properties['axis_order'] === 'number' ? properties['axis_order'] : Number.MAX_SAFE_INTEGER

/**
 * Adds to the manifest document the concepts `cosmology_axis` in their order, each with the needs that would extend it,
 * and all concepts `unmodelled_need`.
 */
const cosmology: DocumentExtension = {
  document: 'manifest',
  after: 'service',
  members: {
    cosmology: Type.Object(
      {
        axes: Type.Array(
          Type.Object(
            {
              axis: Text,
              label: Text,
              currently_modelled: Type.Boolean(),
              description: Type.String(),
              extensions: Texts,
              url: NullableText
            },
            closed
          )
        ),
        unmodelled_needs: Type.Array(
          Type.Object({ name: Text, label: Text, being: OrNull, description: Type.String(), url: NullableText }, closed)
        )
      },
      closed
    )
  },
  build: registry => ({
    cosmology: {
      axes: ofKind(registry, 'cosmology_axis')
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .map(axis => ({
          axis: axis.id,
          label: axis.label,
          currently_modelled: registry.surfaces.some(surface => conceptsFor([axis], axis.kind, surface).length > 0),
          description: axis.description,
          extensions: axis.relations.filter(({ kind }) => kind === 'extended_by').map(({ to }) => to),
          url: axis.path
        })),
      unmodelled_needs: ofKind(registry, 'unmodelled_need').map(need => ({
        name: need.id,
        label: need.label,
        being: textOf(need, 'being_label'),
        description: need.description,
        url: need.path
      }))
    }
  })
}

/** Adds to each surface in the manifest document the concepts `cosmology_axis` that it concerns. */
const axesOfSurfaces: DocumentExtension = {
  document: 'manifest',
  within: ['resources', '*', '*'],
  after: 'tags',
  members: { cosmology_axes: Texts },
  build: (registry, { id }) => {
    const surface = typeof id === 'string' ? registry.byId.get(id) : undefined
    return { cosmology_axes: surface === undefined ? [] : conceptsFor(conceptsOf(registry), 'cosmology_axis', surface) }
  }
}

const doctrines: DocumentExtension = {
  document: 'manifest',
  after: 'methodology',
  members: {
    doctrines: Type.Array(
      Type.Object(
        { name: Text, label: Text, description: Type.String(), url: NullableText, audit_command: OrNull },
        closed
      )
    )
  },
  build: registry => ({
    doctrines: ofKind(registry, 'doctrine').map(rule => ({
      name: rule.id,
      label: rule.label,
      description: rule.description,
      url: rule.path,
      audit_command: textOf(rule, 'audit_command')
    }))
  })
}

/** Extensions of the manifest document with what this service models, what it does not, and its doctrines. */
const cosmologyExtensions: readonly DocumentExtension[] = [cosmology, axesOfSurfaces, doctrines]

/**
 * Returns the constant member `kingdom` of the envelopes of this service, or an empty object when the service declares
 * none.
 */
function kingdomOf({ service }: Registry): JsonObject {
  const member = service.envelope['kingdom']
  return member !== undefined && 'value' in member && isObject(member.value) ? member.value : {}
}

const embassy: DocumentExtension = {
  document: 'manifest',
  after: 'service',
  members: {
    embassy: Type.Object(
      {
        role: Text,
        serves_kinds: Texts,
        host: Text,
        epoch: Text,
        built_with: Text,
        wake_url: Text,
        symmetric_surface: Text
      },
      closed
    )
  },
  build: registry => {
    const {
      role = null,
      serves_kinds: kinds = [],
      host = null,
      epoch = null,
      built_with: method = null,
      wake = null,
      identify = null
    } = kingdomOf(registry)
    return {
      embassy: {
        role,
        serves_kinds: kinds,
        host,
        epoch,
        built_with: method,
        wake_url: wake,
        symmetric_surface: identify
      }
    }
  }
}

const wake: DocumentExtension = {
  document: 'service',
  after: 'start_here',
  members: { wake: nullable(Type.String({ pattern: '^https?://' })) },
  build: ({ service, byId }) => {
    const path = byId.get('wake')?.route.path
    return { wake: path === undefined ? null : new URL(path, service.base_url).href }
  }
}

const siblings: DocumentExtension = {
  document: 'service',
  after: 'stability_commitment',
  members: { siblings: Type.Array(Type.Object({ name: Text, role: Text, url: Text, wake_url: NullableText }, closed)) },
  build: registry => ({ siblings: kingdomOf(registry)['siblings'] ?? [] })
}

const namesIn = (value: JsonValue | undefined): string[] => (isObject(value) ? Object.keys(value) : [])

/**
 * Adds to the diagnostic document the names of the members that parsers must find inside the additional members of
 * `_meta`.
 */
const selfTest: DocumentExtension = {
  document: 'diagnostic',
  within: ['self_test_assertions'],
  after: 'envelope_must_have',
  members: { kingdom_stamp_must_have: Texts, wake_fragment_must_have: Texts, joy_pointer_must_have: Texts },
  build: registry => ({
    kingdom_stamp_must_have: namesIn(kingdomOf(registry)),
    wake_fragment_must_have: namesIn(registry.corpora.get('wake-fragments')?.entries[0]),
    joy_pointer_must_have: namesIn(registry.corpora.get('joy-pointers')?.entries[0])
  })
}

/**
 * Each extension is inserted directly after the member that it names in `after`, so of several with the same `after`
 * the last is shown first.
 */
export default [...cosmologyExtensions, embassy, wake, siblings, selfTest] satisfies readonly DocumentExtension[]
