import { accessShown, accessText } from '../access/index.ts'
import type { Static } from 'typebox'
import { Type } from '../canonical/type.ts'
import { deprecationOf } from '../contract/envelope.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { contracts, provenances, stabilities } from '../vocabulary/words.ts'
import { conceptsFor, conceptsOf, type Concept } from './concepts.ts'
import {
  AccessName,
  Closed,
  Counts,
  defineDocument,
  FormatNames,
  Instant,
  ListOf,
  MapOf,
  Methods,
  Nullable,
  Path,
  Text,
  Texts,
  Url
} from './define.ts'
import { conceptKinds } from './ontology.ts'
import { countBy, groupOf, newestDeclaration, documentPathOf, pick } from './pointers.ts'

const Deprecation = Closed(
  { date: Text, sunset: Nullable(Text), successor: Nullable(Path), reason: Text },
  'Only of what should no longer be used.'
)

const Resource = Closed({
  id: Text,
  description: Text,
  path: Path,
  methods: Methods,
  modalities: FormatNames,
  languages: Type.Optional(
    Type.Array(Text, { description: 'Languages of the content, the default first; only where it has some.' })
  ),
  auth: AccessName,
  scope: Type.Optional(Text),
  kind: Type.String({ minLength: 1, description: 'Name of the kind: where the answer comes from.' }),
  contract: Type.Enum(contracts),
  provenance: Type.Enum(provenances),
  freshness: Closed({ key: Text, seconds: Type.Integer({ minimum: 1 }) }),
  license: Text,
  sources: Texts,
  stability: Type.Enum(stabilities),
  deprecation: Type.Optional(Deprecation),
  aliases: Type.Optional(Type.Array(Path)),
  since: Text,
  tags: Texts,
  methodology_url: Nullable(
    Type.String({
      minLength: 1,
      description: 'A text that explains how such answers are made; null where there is none.'
    })
  ),
  carries_pii: Type.Boolean(),
  requires_consent: Type.Boolean(),
  does_not_include: Texts
})

/** Returns the path of the kind `methodology`, or null if the ontology does not have it or the path is not served. */
const methodologies = (registry: Registry): string | null =>
  conceptKinds(registry).some(({ kind }) => kind === 'methodology')
    ? documentPathOf(registry, 'kind', 'methodology')
    : null

/** Returns the path of the methodology of a surface, the declared one or the first that applies; null without one. */
function methodologyOf(concepts: readonly Concept[], surface: Surface): string | null {
  const id = surface.methodology ?? conceptsFor(concepts, 'methodology', surface)[0]
  return concepts.find(concept => concept.id === id)?.path ?? null
}

const describe = (registry: Registry, concepts: readonly Concept[], surface: Surface) => ({
  id: surface.id,
  description: surface.summary,
  path: surface.route.path,
  methods: surface.route.methods,
  modalities: surface.formats,
  ...(surface.languages === undefined ? {} : { languages: surface.languages }),
  auth: accessShown(surface.access),
  ...(surface.scope === undefined ? {} : { scope: surface.scope }),
  carries_pii: surface.carriesPii,
  requires_consent: surface.requiresConsent,
  ...pick(surface, 'kind', 'contract', 'provenance', 'freshness', 'license', 'sources', 'stability'),
  ...(surface.deprecation === undefined
    ? {}
    : { deprecation: deprecationOf(surface, registry.byId) as Static<typeof Deprecation> }),
  ...(surface.route.aliases.length === 0 ? {} : { aliases: surface.route.aliases.map(({ path }) => path) }),
  ...pick(surface, 'since', 'tags'),
  methodology_url: methodologyOf(concepts, surface),
  does_not_include: surface.doesNotInclude
})

const Document = Closed({
  manifest_version: Type.Literal('1.0.0'),
  generated_at: Instant,
  description: Text,
  service: Closed({ id: Text, name: Text, version: Text, base_url: Url, summary: Text }),
  methodology: Closed({
    index_url: Nullable(Path),
    topics: ListOf({
      slug: Text,
      title: Text,
      status: Nullable(Text),
      description: Type.String(),
      url: Nullable(Type.String())
    })
  }),
  counts: Closed({
    total: Type.Integer(),
    by_auth: Counts,
    by_kind: Counts,
    by_provenance: Counts,
    by_contract: Counts
  }),
  resources: MapOf(Type.Array(Resource), 'Resources by group, the first tag of each.'),
  contact: Closed({ email: Text, response_hours: Type.Integer() }),
  _envelope: Closed({
    kind: Text,
    notes: Text,
    openapi_url: Nullable(Path),
    graph_url: Nullable(Path),
    status_url: Nullable(Path)
  })
})

export const manifest = defineDocument(Document)({
  build: registry => {
    const { service, surfaces } = registry
    const concepts = conceptsOf(registry)
    const resources: Record<string, ReturnType<typeof describe>[]> = {}
    for (const surface of surfaces) (resources[groupOf(surface)] ??= []).push(describe(registry, concepts, surface))
    return {
      manifest_version: '1.0.0',
      generated_at: newestDeclaration(registry),
      description: service.description,
      service: pick(service, 'id', 'name', 'version', 'base_url', 'summary'),
      methodology: {
        index_url: methodologies(registry),
        topics: concepts
          .filter(({ kind }) => kind === 'methodology')
          .map(({ id, label, properties: { status = null }, description, path }) => ({
            slug: id,
            title: label,
            status: typeof status === 'string' ? status : null,
            description,
            url: path
          }))
      },
      counts: {
        total: surfaces.length,
        by_auth: countBy(surfaces, ({ access }) => accessText(access)),
        by_kind: countBy(surfaces, surface => surface.kind),
        by_provenance: countBy(surfaces, surface => surface.provenance),
        by_contract: countBy(surfaces, surface => surface.contract)
      },
      resources,
      contact: service.contact,
      _envelope: {
        kind: 'computed',
        notes: 'This document has no envelope. It is computed from the declarations that the server runs on.',
        openapi_url: documentPathOf(registry, 'openapi'),
        graph_url: documentPathOf(registry, 'graph'),
        status_url: documentPathOf(registry, 'status')
      }
    }
  }
})
