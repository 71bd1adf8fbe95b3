import { Type } from '../canonical/type.ts'
import { Closed, defineDocument, Nullable, Path, Text } from './define.ts'
import { linkTarget } from './pointers.ts'

const examplesPerKey = 8
const neverStale = Number.MAX_SAFE_INTEGER

const Document = Closed({
  '@kind': Type.Literal('rate_limit_policy'),
  summary: Text,
  limit: Type.Integer(),
  window_seconds: Type.Integer(),
  classes: Type.Array(
    Closed({
      caller: Text,
      requests_per_minute: Nullable(Type.Integer()),
      counted_by: Text,
      enforced: Type.Boolean(),
      note: Text
    })
  ),
  policy: Type.Array(
    Closed({
      freshness_key: Text,
      budget_seconds: Type.Integer(),
      recommended_poll_seconds: Type.Integer(),
      example_endpoints: Type.Array(Path),
      endpoint_count: Type.Integer(),
      rationale: Text
    })
  ),
  polite_behaviours: Type.Array(Text),
  headers_emitted: Type.Record(Type.String(), Text),
  headers_expected_from_clients: Type.Record(Type.String(), Text),
  contact_on_block: Text,
  feedback_endpoint: Nullable(Path)
})

export const rateLimits = defineDocument(Document)({
  build: registry => {
    const { rate_policy: policy, freshness, agents, contact } = registry.service
    return {
      '@kind': 'rate_limit_policy',
      summary: policy.summary,
      limit: policy.limit,
      window_seconds: policy.window_seconds,
      classes: policy.classes,
      policy: Object.entries(freshness).map(([key, { seconds, meaning }]) => {
        const paths = [
          ...new Set(
            registry.surfaces.filter(surface => surface.freshness.key === key).map(surface => surface.route.path)
          )
        ]
        return {
          freshness_key: key,
          budget_seconds: seconds,
          recommended_poll_seconds: Math.max(seconds, policy.window_seconds),
          example_endpoints: paths.slice(0, examplesPerKey),
          endpoint_count: paths.length,
          rationale:
            seconds === neverStale
              ? `${meaning} One request is enough.`
              : `${meaning} An answer counts as current for ${seconds} seconds.`
        }
      }),
      polite_behaviours: policy.polite_behaviours,
      headers_emitted: {
        'RateLimit-Limit': 'Requests in the window.',
        'RateLimit-Remaining': 'Requests left in the window.',
        'RateLimit-Reset': 'Seconds until the next window starts.',
        'RateLimit-Policy': `The policy in one value: ${policy.limit};w=${policy.window_seconds}.`
      },
      headers_expected_from_clients: {
        'User-Agent': agents.user_agent,
        Accept: 'application/json',
        'Accept-Encoding': 'gzip'
      },
      contact_on_block: contact.email,
      feedback_endpoint: linkTarget(registry, 'feedback')
    }
  }
})
