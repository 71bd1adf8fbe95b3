import { accessShown, accessText } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { formatModules, formatTable } from '../format/index.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { provenances } from '../vocabulary/words.ts'
import {
  AccessName,
  Closed,
  Counts,
  defineDocument,
  FormatName,
  Instant,
  ListOf,
  MapOf,
  Methods,
  Nullable,
  Path,
  Text,
  Texts,
  type Observations,
  type SubsystemState
} from './define.ts'
import { countBy, isPaused, relationTargetOf, mapValues, documentPathOf, pick, usesStores } from './pointers.ts'

type State = SubsystemState['status']
const states = ['ok', 'degraded', 'down'] as const
const State = Type.Enum(states)

const strategies = {
  'retry-with-backoff':
    'Repeat after 1 second, then double the pause each time, up to a minute, with a little randomness.',
  'wait-60s': 'Wait a minute before the next request. A part of the service is working again or nearly so.',
  'wait-300s': 'Wait five minutes before the next request. Asking sooner does not help either side.',
  'report-via-feedback': 'The state stays wrong for longer than an hour: please tell us, with the request id.'
} as const
type Strategy = keyof typeof strategies

const recommendations: Readonly<Record<State, readonly [strategy: Strategy, why: string]>> = {
  ok: ['retry-with-backoff', 'Everything works, so a failure you met was most likely brief.'],
  degraded: ['wait-60s', 'Documents and directories answer; what reads from an unwell part may fail.'],
  down: ['wait-300s', 'The service cannot answer from its stores.']
}

/** Returns the worst state of some subsystems; `ok` if there are none. */
const worstOf = (parts: readonly SubsystemState[]): State =>
  states.findLast(state => parts.some(({ status }) => status === state)) ?? 'ok'

/**
 * Returns the state of the service. It is `down` only if the process is, or all subsystems beside it are, because much
 * is answered from memory.
 */
export function overall(subsystems: Readonly<Record<string, SubsystemState>>): State {
  const { process, ...others } = subsystems
  const parts = Object.values(others)
  if (process?.status === 'down' || (parts.length > 0 && parts.every(({ status }) => status === 'down'))) return 'down'
  return worstOf(Object.values(subsystems)) === 'ok' ? 'ok' : 'degraded'
}

const HealthDocument = Closed({
  '@kind': Type.Literal('health'),
  status: State,
  how_status_is_computed: Text,
  recommendation: Type.Enum(Object.keys(strategies) as Strategy[]),
  recommendation_rationale: Text,
  subsystems: MapOf(Closed({ status: State, detail: Type.String() })),
  retry_strategies_glossary: MapOf(Text),
  related_surfaces: Closed({ status: Nullable(Path), rate_limits: Nullable(Path), feedback: Nullable(Path) }),
  not_an_sla_claim: Text
})

export const health = defineDocument(HealthDocument)({
  live: true,
  build: (registry, _request, { subsystems }) => {
    const status = overall(subsystems)
    const [recommendation, why] = recommendations[status]
    return {
      '@kind': 'health',
      status,
      how_status_is_computed:
        'ok: every part is ok. down: the process is stopping, or every part beside it is down. degraded: anything between.',
      recommendation,
      recommendation_rationale: why,
      subsystems: mapValues(subsystems, state => pick(state, 'status', 'detail')),
      retry_strategies_glossary: strategies,
      related_surfaces: {
        status: documentPathOf(registry, 'status'),
        rate_limits: documentPathOf(registry, 'rate-limits'),
        feedback: relationTargetOf(registry, 'feedback')
      },
      not_an_sla_claim: 'This is what the process knows at this moment. It promises nothing about the next one.'
    }
  }
})

const contractStates = {
  envelope: 'The answer is `{ data, _meta }` unless another format is asked for; a failure adds `error`.',
  'alternative-contract':
    'The answer has a form of its own (a hashed structural document, a document without an envelope, or a text or picture). Its headers are the same.'
} as const

const lastKnownStates = {
  serving: 'Answers.',
  paused: 'Answers 503 with a status document; publication is paused, whatever the state of the process.',
  degraded: 'Answers, but a part it reads from is not well; see the subsystems.',
  down: 'Cannot answer, because a part it reads from is down.'
} as const

/** Returns whether the default answer of a surface has the envelope, which only the format JSON can have. */
const contractState = ({ contract, formats }: Surface): keyof typeof contractStates =>
  contract === 'envelope' && formats[0] === 'json' ? 'envelope' : 'alternative-contract'

/** Returns all formats but JSON, each with the surfaces that offer it and those whose default it is. */
function alternativesOf({ service, surfaces }: Registry) {
  const table = formatTable(service.formats)
  const formats = new Set(surfaces.flatMap(surface => surface.formats))
  formats.delete('json')
  return [...formats].sort().map(format => {
    const offering = surfaces.filter(surface => surface.formats.includes(format))
    return {
      format,
      media_type: (table.get(format) ?? formatModules.json).mediaType.replace(/;.*$/, ''),
      default_of: offering.filter(surface => surface.formats[0] === format).map(({ id }) => id),
      offered_by: offering.map(({ id }) => id)
    }
  })
}

/** Returns the corpora that a surface shows, or those that the surfaces show without which a page fails. */
const corporaOf = ({ shows, page }: Surface, { surfaces }: Registry): readonly string[] =>
  [shows, ...(page?.shows ?? []).map(target => surfaceAt(surfaces, target)?.shows)].flatMap(
    shown => shown?.corpus ?? []
  )

/** Returns the state of a surface. Subsystems do not affect one that uses no stores: it answers from memory. */
function lastKnownState(
  surface: Surface,
  registry: Registry,
  { subsystems }: Observations
): keyof typeof lastKnownStates {
  if (isPaused(surface)) return 'paused'
  if (!usesStores(surface)) return 'serving'
  const read = corporaOf(surface, registry)
  const worst = worstOf(
    Object.values(subsystems).filter(({ corpora }) => corpora?.some(name => read.includes(name)) ?? true)
  )
  return worst === 'ok' ? 'serving' : worst
}

const StatusDocument = Closed({
  '@kind': Type.Literal('status'),
  contract_states: MapOf(Text),
  last_known_states: MapOf(Text),
  alternative_contracts: ListOf(
    { format: FormatName, media_type: Text, default_of: Texts, offered_by: Texts },
    {
      description:
        'Every format whose answers have no envelope, with the ids of the surfaces that answer with it unasked, and of all that offer it.'
    }
  ),
  freshness_budgets: MapOf(Type.Integer(), 'Seconds by freshness key.'),
  counts: Closed({
    total: Type.Integer(),
    envelope_compliant: Type.Integer(),
    by_contract: Counts,
    by_provenance: Counts,
    by_kind: Counts,
    by_auth: Counts,
    by_state: Counts
  }),
  observed: Closed({ process_started_at: Instant, health_url: Nullable(Path) }),
  endpoints: ListOf({
    id: Text,
    path: Path,
    methods: Methods,
    auth: AccessName,
    provenance: Type.Enum(provenances),
    freshness_seconds: Type.Integer(),
    freshness_label: Text,
    contract_state: Type.Enum(['envelope', 'alternative-contract']),
    formats: Type.Array(FormatName, {
      minItems: 1,
      description: 'What the surface can answer with, the default first.'
    }),
    envelope_compliant: Type.Boolean(),
    last_known_state: Type.Enum(['serving', 'paused', 'degraded', 'down']),
    stability: Text,
    since: Text
  }),
  conventions: Closed({ license: Text, request_id: Text, caching: Text, errors: Text })
})

export const status = defineDocument(StatusDocument)({
  live: true,
  build: (registry, _request, observations) => {
    const { service, surfaces } = registry
    const endpoints = surfaces.map(surface => ({
      id: surface.id,
      path: surface.route.path,
      methods: surface.route.methods,
      auth: accessShown(surface.access),
      provenance: surface.provenance,
      freshness_seconds: surface.freshness.seconds,
      freshness_label: surface.freshness.key,
      contract_state: contractState(surface),
      formats: surface.formats,
      envelope_compliant: contractState(surface) === 'envelope',
      last_known_state: lastKnownState(surface, registry, observations),
      stability: surface.stability,
      since: surface.since
    }))
    return {
      '@kind': 'status',
      contract_states: contractStates,
      last_known_states: lastKnownStates,
      alternative_contracts: alternativesOf(registry),
      freshness_budgets: mapValues(service.freshness, ({ seconds }) => seconds),
      counts: {
        total: surfaces.length,
        envelope_compliant: endpoints.filter(endpoint => endpoint.envelope_compliant).length,
        by_contract: countBy(endpoints, endpoint => endpoint.contract_state),
        by_provenance: countBy(endpoints, endpoint => endpoint.provenance),
        by_kind: countBy(surfaces, surface => surface.kind),
        by_auth: countBy(surfaces, ({ access }) => accessText(access)),
        by_state: countBy(endpoints, endpoint => endpoint.last_known_state)
      },
      observed: {
        process_started_at: observations.startedAt.toISOString(),
        health_url: documentPathOf(registry, 'health')
      },
      endpoints,
      conventions: {
        license: 'Each surface declares its own tier. A tier covers the answer that carries it and nothing behind it.',
        request_id: 'Every answer has `X-Request-Id`; the envelope repeats it as `_meta.request_id`.',
        caching:
          '`Cache-Control` follows the freshness budget. `ETag` covers what does not change between two equal answers.',
        errors: 'One error object everywhere: code, status, message, docs, and details where there are any.'
      }
    }
  }
})
