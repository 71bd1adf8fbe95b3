import type { Static } from 'typebox'
import { accessShown } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import { limitsWrites } from '../manifest/service-defaults.ts'
import { withoutBase } from '../manifest/paths.ts'
import type { Registry } from '../registry/registry.ts'
import {
  AccessName,
  Closed,
  defineDocument,
  ListOf,
  MapOf,
  NameParameter,
  Nullable,
  Path,
  Text,
  Texts,
  Url
} from './define.ts'
import {
  absoluteUrl,
  absoluteUrlOrNull,
  isPaused,
  relationTargetOf,
  mapValues,
  documentPathOf,
  pick,
  documentUrlOf
} from './pointers.ts'

const ServiceDocument = Closed({
  id: Text,
  name: Text,
  version: Text,
  spec_version: Text,
  description: Text,
  homepage: Url,
  encoding: Text,
  start_here: Nullable(Url),
  documents: MapOf(Url, 'Discovery documents by name.'),
  groups: ListOf({
    group: Text,
    title: Text,
    endpoints: ListOf({ path: Path, description: Text, auth: AccessName, status: Type.Enum(['available', 'paused']) })
  }),
  license_tiers: MapOf(Text),
  rate_limits: Closed({
    summary: Text,
    limit: Type.Integer(),
    window_seconds: Type.Integer(),
    policy_url: Nullable(Url)
  }),
  stability_commitment: Text,
  contact: Closed({ email: Text, response_hours: Type.Integer() })
})

export const service = defineDocument(ServiceDocument)({
  build: registry => {
    const { service: own, byId } = registry
    return {
      ...pick(own, 'id', 'name', 'version', 'spec_version', 'description'),
      homepage: own.base_url,
      encoding: own.encoding,
      start_here: absoluteUrlOrNull(registry, relationTargetOf(registry, 'start')),
      documents: Object.fromEntries(
        [...new Set(registry.surfaces.flatMap(({ serves }) => serves ?? []))].flatMap(document => {
          const path = documentPathOf(registry, document)
          return path === null || path.includes('{') ? [] : [[document, absoluteUrl(registry, path)]]
        })
      ),
      groups: own.index.map(({ group, title, surfaces }) => ({
        group,
        title,
        endpoints: surfaces
          .flatMap(id => byId.get(id) ?? [])
          .map(surface => ({
            path: surface.route.path,
            description: surface.summary,
            auth: accessShown(surface.access),
            status: isPaused(surface) ? 'paused' : 'available'
          }))
      })),
      license_tiers: mapValues(own.tiers, ({ meaning }) => meaning),
      rate_limits: {
        ...pick(own.rate_policy, 'summary', 'limit', 'window_seconds'),
        policy_url: documentUrlOf(registry, 'rate-limits')
      },
      stability_commitment:
        'Paths keep their version. Members may be added at any time; a member is removed or changes its meaning only with notice.',
      contact: own.contact
    }
  }
})

const Group = MapOf(Closed({ url: Path, purpose: Text }))

const RootDocument = Type.Object(
  {
    '@kind': Type.Literal('api-root'),
    api_version: Type.Literal('v1'),
    message: Text,
    start_here: Nullable(Path),
    directory: Nullable(Path),
    contract: Nullable(Path),
    contract_invariants: Texts,
    where_to_look_when_something_is_off: Closed({
      contract_drift: Nullable(Path),
      operational_status: Nullable(Path),
      health: Nullable(Path),
      parser_self_test: Nullable(Path),
      contact_human: Text
    })
  },
  {
    additionalProperties: Group,
    description: 'Further members are the groups of surfaces that the service puts first, by name.'
  }
)

/** Returns a name such as `opening_hours`: the path without API prefix, version, placeholders and file extension. */
const nameOf = (path: string): string =>
  path
    .replace(/^\/(\.well-known\/|(api\/)?(v\d+\/)?)/, '')
    .replace(/\.\w+$/, '')
    .split('/')
    .filter(part => part !== '' && !part.startsWith('{'))
    .join('_')
    .replaceAll(/\W/g, '_')

/** Returns the surfaces of each group by name. If the name from the path is empty or taken, it is the id. */
function groupsOf({ service, byId, moved }: Registry): Record<string, Static<typeof Group>> {
  return Object.fromEntries(
    service.index.map(({ group, surfaces }) => {
      const members = new Map<string, Static<typeof Group>[string]>()
      for (const { id, route, summary } of surfaces.flatMap(id => byId.get(id) ?? [])) {
        const name = nameOf(withoutBase(moved?.base ?? '', route.path))
        members.set(name === '' || members.has(name) ? id : name, { url: route.path, purpose: summary })
      }
      return [group, Object.fromEntries(members)]
    })
  )
}

export const root = defineDocument(RootDocument)({
  build: registry => ({
    '@kind': 'api-root',
    api_version: 'v1',
    message: registry.service.description,
    start_here: relationTargetOf(registry, 'start'),
    directory: documentPathOf(registry, 'manifest'),
    contract: documentPathOf(registry, 'openapi'),
    ...groupsOf(registry),
    contract_invariants: registry.service.invariants,
    where_to_look_when_something_is_off: {
      contract_drift: relationTargetOf(registry, 'feedback'),
      operational_status: documentPathOf(registry, 'status'),
      health: documentPathOf(registry, 'health'),
      parser_self_test: documentPathOf(registry, 'diagnostic'),
      contact_human: registry.service.contact.email
    }
  })
})

const RelationDocument = Closed({
  rel: Text,
  uri: Type.String({ description: 'Address that names the relation in a Link header.' }),
  meaning: Text,
  registered: Type.Boolean({ description: 'True for a name of the IANA registry of link relations.' }),
  target: Nullable(Path),
  target_is_the_answered_path: Type.Boolean(),
  type: Nullable(Text),
  known_relations: Texts
})

/** Describes a link relation of the service, at the URI of the relation (RFC 8288 §2.1.2). */
export const relation = defineDocument(RelationDocument)({
  input: { params: Closed({ rel: NameParameter('Name of a link relation.') }) },
  build: (registry, request) => {
    const { links } = registry.service
    const rel = String(request.params.rel)
    const known = links.map(link => link.rel)
    const link = links.find(candidate => candidate.rel === rel)
    if (link === undefined) throw notFound('link relation', rel, { known_relations: known })
    return {
      rel,
      uri: `${registry.service.base_url}/rels/${rel}`,
      meaning: link.meaning,
      registered: link.registered,
      target: relationTargetOf(registry, rel),
      target_is_the_answered_path: link.surface === undefined,
      type: link.type ?? null,
      known_relations: known
    }
  }
})

const examplesPerKey = 8
const neverStale = Number.MAX_SAFE_INTEGER

const RateLimitsDocument = Closed({
  '@kind': Type.Literal('rate_limit_policy'),
  summary: Text,
  limit: Type.Integer(),
  window_seconds: Type.Integer(),
  classes: ListOf({
    caller: Text,
    requests_per_minute: Nullable(Type.Integer()),
    counted_by: Text,
    enforced: Type.Boolean(),
    note: Text
  }),
  policy: ListOf({
    freshness_key: Text,
    budget_seconds: Type.Integer(),
    recommended_poll_seconds: Type.Integer(),
    example_endpoints: Type.Array(Path),
    endpoint_count: Type.Integer(),
    rationale: Text
  }),
  polite_behaviours: Texts,
  headers_emitted: MapOf(Text),
  headers_expected_from_clients: MapOf(Text),
  contact_on_block: Text,
  feedback_endpoint: Nullable(Path)
})

export const rateLimits = defineDocument(RateLimitsDocument)({
  build: registry => {
    const { rate_policy: policy, freshness, agents, contact } = registry.service
    return {
      '@kind': 'rate_limit_policy',
      ...pick(policy, 'summary', 'limit', 'window_seconds', 'classes'),
      policy: Object.entries(freshness).map(([key, { seconds, meaning }]) => {
        const surfaces = registry.surfaces.filter(surface => surface.freshness.key === key)
        const paths = [...new Set(surfaces.map(({ route }) => route.path))]
        return {
          freshness_key: key,
          budget_seconds: seconds,
          recommended_poll_seconds: Math.max(seconds, policy.window_seconds),
          example_endpoints: paths.slice(0, examplesPerKey),
          endpoint_count: paths.length,
          rationale: `${meaning} ${seconds === neverStale ? 'One request is enough.' : `An answer counts as current for ${seconds} seconds.`}`
        }
      }),
      polite_behaviours: policy.polite_behaviours,
      headers_emitted: {
        'RateLimit-Limit': 'Requests in the window.',
        'RateLimit-Remaining': limitsWrites(registry.service)
          ? 'Requests left in the window. Without a credential only those that write count, and more of them are refused with 429.'
          : 'Requests left in the window.',
        'RateLimit-Reset': 'Seconds until the next window starts.',
        'RateLimit-Policy': `The policy in one value: ${policy.limit};w=${policy.window_seconds}.`
      },
      headers_expected_from_clients: {
        'User-Agent': agents.user_agent,
        Accept: 'application/json',
        'Accept-Encoding': 'gzip'
      },
      contact_on_block: contact.email,
      feedback_endpoint: relationTargetOf(registry, 'feedback')
    }
  }
})
