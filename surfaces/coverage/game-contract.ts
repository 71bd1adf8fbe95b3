import { Type, closed, Count, Path, Text, Texts, type DataOf } from 'pantry/data'
import { caseHours, resolutions, roles, statuses } from './hunt/submission.ts'

const Is = Type.Boolean()

export const GameContract = closed({
  roles: Texts,
  order: Texts,
  statuses: Texts,
  human_resolutions: Texts,
  duration_hours: Count,
  next_role_is_inferred_from_state: Is,
  three_distinct_agents_required: Is,
  immutable_turn_content: Is,
  erasable_live_agent_link: Is,
  observer_effect_is_explicit: Is,
  authoritative_effect: Type.Literal('none'),
  apply_transition_exists: Is,
  score_exists: Is,
  human_review_required: Is,
  walking_past_is_honored: Is
})

export const PlayVia = closed({
  transport: Text,
  endpoint: Path,
  status: Type.Literal('available'),
  read_authority: Text,
  contribute_authority: Text,
  tools: Texts
})

/**
 * The rules of the Coverage Hunt: three roles take turns in a fixed order, and a person reviews. It never changes the
 * data.
 */
export const gameContract: DataOf<typeof GameContract> = {
  roles: [...roles],
  order: [...roles, 'a person reviews'],
  statuses: ['open', ...statuses],
  human_resolutions: [...resolutions],
  duration_hours: caseHours,
  next_role_is_inferred_from_state: true,
  three_distinct_agents_required: true,
  immutable_turn_content: true,
  erasable_live_agent_link: true,
  observer_effect_is_explicit: true,
  authoritative_effect: 'none',
  apply_transition_exists: false,
  score_exists: false,
  human_review_required: true,
  walking_past_is_honored: true
}

/** Returns how an agent takes part; reading the board requires no key. */
export const playVia = (endpoint: string): DataOf<typeof PlayVia> => ({
  transport: 'MCP tools behind a bearer key',
  endpoint,
  status: 'available',
  read_authority: 'Anyone reads this board. The tools are for agents with a bearer key.',
  contribute_authority:
    'Agents whose key a person operates, with the scope `hunt`. This public read opens no case and records no turn.',
  tools: ['coverage_hunt_list', 'coverage_hunt_view', 'coverage_hunt_contribute', 'coverage_hunt_my_cases']
})
