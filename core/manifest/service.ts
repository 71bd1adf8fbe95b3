import Type, { type Static } from 'typebox'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { SurfaceId } from './facets.ts'

const closed = { additionalProperties: false }
const Id = Type.String({ pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 60 })
const Text = Type.String({ minLength: 1 })
const Target = { ...SurfaceId, description: 'Id of a surface: its manifest path without the ending.' }

const LinkRelation = Type.Object({
  rel: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
  meaning: Text,
  surface: Type.Optional(Target),
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

const MemberSchema = Type.Optional(Type.Unsafe<JsonObject>({ type: 'object', description: 'JSON Schema of the member. Default: what the value or the corpus shows.' }))

const FixedMember = Type.Object({
  meaning: Text,
  value: Type.Unsafe<JsonValue>({ description: 'The same in every answer.' }),
  schema: MemberSchema
}, closed)

const PickedMember = Type.Object({
  meaning: Text,
  corpus: { ...Id, description: 'One of its entries stands in the answer, chosen by the path alone; null for an empty corpus.' },
  hash: Type.Optional(Type.Enum(['fnv-1a', 'djb2'], { description: 'What spreads the paths over the entries. Default `fnv-1a`.' })),
  prefix: Type.Optional(Type.String({ description: 'Put before the path, so that two members do not choose alike.' })),
  schema: MemberSchema
}, closed)

const required = {
  id: Id,
  name: Text,
  summary: Text,
  base_url: Type.String({ pattern: '^https?://[^/]+$', description: 'Public origin; the environment may override it.' }),
  contact: Type.Object({ email: Text, response_hours: Type.Integer({ minimum: 1 }) }, { ...closed, description: 'Who reads what people report, and within how many hours.' })
}

const optional = {
  version: Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
  spec_version: Text,
  description: Text,
  encoding: Type.String({ description: 'Identifier of the structural encoding. Default `<id>/universal/v1`.' }),
  tiers: Type.Record(Text, Type.Object({
    meaning: Text,
    open: Type.Boolean({ description: 'True when the tier is a public-domain dedication.' }),
    label: Type.String({ description: 'Short rights label used in source_license.' })
  }, closed)),
  freshness: Type.Record(Text, Type.Object({ seconds: Type.Integer({ minimum: 1 }), meaning: Text }, closed)),
  sources: Type.Record(Text, Type.Object({ license: Text, meaning: Text }, closed)),
  envelope: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), Type.Union([FixedMember, PickedMember]), { description: 'Members that every `_meta` has beyond those of the framework, in this order.' }),
  errors: Type.Record(Type.String({ pattern: '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$' }), Type.Object({
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    meaning: Text
  }, closed), { description: 'Error codes beyond those of the framework. A code is permanent and has one status.' }),
  links: Type.Array(LinkRelation, { minItems: 1, description: 'The Link header, in this order. Default: self, start, describedby and alternate.' }),
  rate_policy: Type.Object({
    limit: Type.Integer({ minimum: 1 }),
    window_seconds: Type.Integer({ minimum: 1 }),
    summary: Text,
    classes: Type.Array(RateClass),
    polite_behaviours: Type.Array(Text)
  }, closed),
  suggestions: Type.Record(Text, Target, { description: 'Named pointers of the answer to an unclaimed path.' }),
  index: Type.Array(Type.Object({
    group: Type.String({ pattern: '^[a-z][a-z_]*$' }),
    title: Text,
    surfaces: Type.Array(Target, { minItems: 1 })
  }, closed), { description: 'Groups of the root index and of llms.txt, in reading order. Default: the surfaces of the service by their first tag.' }),
  invariants: Type.Array(Text, { description: 'What holds for every answer of the service.' }),
  agents: Type.Object({
    model_name: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' }),
    human_summary: Type.String({ maxLength: 100 }),
    mcp: Type.Object({ endpoint: Type.Union([Text, Type.Null()]), status: Type.Enum(['available', 'planned']), note: Text }, closed),
    user_agent: Text
  }, closed)
}

/** What `manifests/service.yaml` must say, and what it may. Adding a tier, a freshness key or a source label needs no code. */
export const ServiceSchema = Type.Object({ ...required, ...Type.Partial(Type.Object(optional)).properties }, closed)
export type ServiceFile = Readonly<Static<typeof ServiceSchema>>

/** A service with every default filled in: what the rest of the framework sees. */
export type Service = Required<ServiceFile>

export type EnvelopeMember = Service['envelope'][string]
