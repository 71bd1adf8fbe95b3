import {
  Type,
  conceptsFor,
  conceptsOf,
  nullable,
  NullableText,
  type Concept,
  type DocumentExtension,
  type Registry
} from 'pantry/handler'

export const Text = Type.String({ minLength: 1 })
export const Texts = Type.Array(Text)
const OrNull = nullable(Text)
export const closed = { additionalProperties: false }

const ofKind = (registry: Registry, kind: string): readonly Concept[] =>
  conceptsOf(registry).filter(concept => concept.kind === kind)
const textOf = ({ properties }: Concept, name: string): string | null =>
  typeof properties[name] === 'string' ? properties[name] : null
const placeOf = ({ properties }: Concept): number =>
  typeof properties['axis_order'] === 'number' ? properties['axis_order'] : Number.MAX_SAFE_INTEGER

/** Adds to the manifest document the axes in their order, each with the needs that would extend it, and all needs. */
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

/** Adds to each surface in the manifest document the axes that it concerns. */
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

/** Extensions of the manifest document with the assumptions, gaps and principles of this service. */
export const cosmologyExtensions: readonly DocumentExtension[] = [cosmology, axesOfSurfaces, doctrines]
