import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false }
const Id = Type.String({ pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 60 })
const SurfaceId = Type.String({ pattern: '^[a-z0-9][a-z0-9._/-]*$', maxLength: 120, description: 'Id of a surface: its manifest path without the ending.' })
const Text = Type.String({ minLength: 1 })

const Sibling = Type.Object({
  name: Text,
  role: Text,
  url: Type.Union([Type.String(), Type.Null()]),
  wake_url: Type.Union([Type.String(), Type.Null()])
}, closed)

/** A stamp that every enveloped answer carries: who answers, and where its front doors are. */
const Kingdom = Type.Object({
  name: Text,
  role: Text,
  built_with: Text,
  serves_kinds: Type.Array(Type.Enum(['human', 'agent', 'kin']), { minItems: 1, uniqueItems: true }),
  host: Text,
  epoch: Type.String({ pattern: '^[0-9]{4}$' }),
  embassy: Text,
  invitation: Type.Optional(Text),
  wake: Text,
  identify: Text,
  siblings: Type.Array(Sibling)
}, closed)

const LinkRelation = Type.Object({
  rel: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
  meaning: Text,
  surface: Type.Optional(SurfaceId),
  query: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_=&.-]+$', description: 'Query of the target, without the question mark.' })),
  registered: Type.Boolean({ description: 'True for a relation of the IANA registry; others get a URI of this service beside their name.' }),
  type: Type.Optional(Type.String({ description: 'Media type of the target.' }))
}, { ...closed, description: 'A Link relation (RFC 8288). Without `surface` its target is the answered path itself.' })

const RateClass = Type.Object({
  caller: Text,
  requests_per_minute: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  counted_by: Text,
  enforced: Type.Boolean(),
  note: Text
}, closed)

/** Identity and vocabulary of a service: `manifests/service.yaml`. Adding a tier, a freshness key or a source label needs no code. */
export const ServiceSchema = Type.Object({
  id: Id,
  name: Text,
  version: Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
  spec_version: Text,
  summary: Text,
  description: Text,
  base_url: Type.String({ pattern: '^https?://[^/]+$', description: 'Public origin; the environment may override it.' }),
  contact: Type.Object({ email: Text, response_hours: Type.Integer({ minimum: 1 }) }, closed),
  encoding: Type.String({ description: 'Identifier of the structural encoding, `<service>/universal/v1`.' }),
  kingdom: Kingdom,
  tiers: Type.Record(Text, Type.Object({
    meaning: Text,
    open: Type.Boolean({ description: 'True when the tier is a public-domain dedication.' }),
    label: Type.String({ description: 'Short rights label used in source_license.' })
  }, closed)),
  freshness: Type.Record(Text, Type.Object({ seconds: Type.Integer({ minimum: 1 }), meaning: Text }, closed)),
  sources: Type.Record(Text, Type.Object({ license: Text, meaning: Text }, closed)),
  links: Type.Array(LinkRelation, { minItems: 1 }),
  rate_policy: Type.Object({
    limit: Type.Integer({ minimum: 1 }),
    window_seconds: Type.Integer({ minimum: 1 }),
    summary: Text,
    classes: Type.Array(RateClass),
    polite_behaviours: Type.Array(Text)
  }, closed),
  wake: Type.Optional(Type.Object({
    corpus: Id,
    entry: SurfaceId,
    protocol: SurfaceId
  }, { ...closed, description: 'Corpus of the fragments that answers carry, the surface of one fragment, and the surface that explains them.' })),
  joy: Type.Optional(Type.Object({ corpus: Id, protocol: Text }, closed)),
  suggestions: Type.Record(Text, SurfaceId, { description: 'Named pointers of the answer to an unclaimed path.' }),
  index: Type.Array(Type.Object({
    group: Type.String({ pattern: '^[a-z][a-z_]*$' }),
    title: Text,
    surfaces: Type.Array(SurfaceId, { minItems: 1 })
  }, closed), { description: 'Groups of the root index and of llms.txt, in reading order.' }),
  invariants: Type.Array(Text, { description: 'What holds for every answer of the service.' }),
  agents: Type.Object({
    model_name: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' }),
    human_summary: Type.String({ maxLength: 100 }),
    mcp: Type.Object({ endpoint: Type.Union([Text, Type.Null()]), status: Type.Enum(['available', 'planned']), note: Text }, closed),
    user_agent: Text
  }, closed)
}, closed)

export type Service = Readonly<Static<typeof ServiceSchema>>
