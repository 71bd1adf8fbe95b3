import { Type } from '../canonical/type.ts'
import { Closed, defineDocument, Nullable, Path, Text } from './define.ts'
import type { SubsystemState } from './discovery.ts'
import { linkTarget, pathTo } from './pointers.ts'

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

const advice: Readonly<Record<State, Readonly<{ strategy: Strategy; why: string }>>> = {
  ok: { strategy: 'retry-with-backoff', why: 'Everything works, so a failure you met was most likely brief.' },
  degraded: { strategy: 'wait-60s', why: 'Documents and directories answer; what reads from an unwell part may fail.' },
  down: { strategy: 'wait-300s', why: 'The service cannot answer from its stores.' }
}

/** Returns the worst state of a list; `ok` for an empty list. */
export const worstOf = (parts: readonly SubsystemState[]): State =>
  parts.reduce<State>(
    (worst, part) => (states.indexOf(part.status) > states.indexOf(worst) ? part.status : worst),
    'ok'
  )

/**
 * Returns the state of the service: `down` if the process or all other subsystems are down, `degraded` if any subsystem
 * is not ok. One store of several that is down only degrades the service, because much is answered from memory.
 */
export function overall(subsystems: Readonly<Record<string, SubsystemState>>): State {
  const beside = Object.entries(subsystems)
    .filter(([name]) => name !== 'process')
    .map(([, part]) => part)
  if (subsystems.process?.status === 'down') return 'down'
  if (beside.length > 0 && beside.every(part => part.status === 'down')) return 'down'
  return worstOf(Object.values(subsystems)) === 'ok' ? 'ok' : 'degraded'
}

const Document = Closed({
  '@kind': Type.Literal('health'),
  status: State,
  how_status_is_computed: Text,
  recommendation: Type.Enum(Object.keys(strategies) as Strategy[]),
  recommendation_rationale: Text,
  subsystems: Type.Record(Type.String(), Closed({ status: State, detail: Type.String() })),
  retry_strategies_glossary: Type.Record(Type.String(), Text),
  related_surfaces: Closed({ status: Nullable(Path), rate_limits: Nullable(Path), feedback: Nullable(Path) }),
  not_an_sla_claim: Text
})

export const health = defineDocument(Document)({
  live: true,
  build: (registry, _request, { subsystems }) => {
    const status = overall(subsystems)
    return {
      '@kind': 'health',
      status,
      how_status_is_computed:
        'ok: every part is ok. down: the process is stopping, or every part beside it is down. degraded: anything between.',
      recommendation: advice[status].strategy,
      recommendation_rationale: advice[status].why,
      subsystems: Object.fromEntries(
        Object.entries(subsystems).map(([name, { status: state, detail }]) => [name, { status: state, detail }])
      ),
      retry_strategies_glossary: strategies,
      related_surfaces: {
        status: pathTo(registry, 'status'),
        rate_limits: pathTo(registry, 'rate-limits'),
        feedback: linkTarget(registry, 'feedback')
      },
      not_an_sla_claim: 'This is what the process knows at this moment. It promises nothing about the next one.'
    }
  }
})
