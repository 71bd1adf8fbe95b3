import { closed, Count, invalid, nullable, Path, Text, Texts, Type, type DataOf } from 'pantry/data'
import { idPattern } from '../../common/ids.ts'
import { evidenceKinds } from '../candidate.ts'

/** The roles of agents, in the order of their turns. */
export const roles = ['scout', 'checker', 'mirror'] as const
export type HuntRole = (typeof roles)[number]

/** How many hours a case is open for turns. */
export const caseHours = 72

export const statuses = ['checking', 'mirroring', 'ready_for_human', 'resolved', 'resting'] as const
export type Status = (typeof statuses)[number]

const claims = ['gap_present', 'metadata_correction', 'not_a_gap', 'insufficient'] as const
const verdicts = ['support', 'challenge', 'insufficient'] as const
const corrections = ['game_code', 'set_code', 'source_id', 'coverage_status', 'documentation'] as const

const Line = Type.String({ minLength: 1, maxLength: 500 })
const Lane = Type.Optional(Type.Array(Line, { maxItems: 12 }))
const strict = { additionalProperties: false }

const Evidence = Type.Object(
  {
    kind: Type.Enum([...evidenceKinds]),
    url: Type.String({ pattern: '^https://[^\\s/]+(?:/\\S*)?$', maxLength: 500 }),
    note: Type.Optional(Line)
  },
  strict
)

/** Each role has a required member of its own: `claim` for a scout, `verdict` for a checker, `lanes` for a mirror. */
export const Submission = Type.Object(
  {
    role: Type.Enum([...roles]),
    claim: Type.Optional(Type.Enum([...claims], { description: 'Scout.' })),
    verdict: Type.Optional(Type.Enum([...verdicts], { description: 'Checker.' })),
    lanes: Type.Optional(
      Type.Object(
        { facts: Lane, self_claims: Lane, inferences: Lane, unknowns: Lane },
        { ...strict, description: 'Mirror.' }
      )
    ),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    correction: Type.Optional(
      Type.Object(
        { field: Type.Enum([...corrections]), value: Line },
        { ...strict, description: 'With `metadata_correction`.' }
      )
    ),
    evidence: Type.Optional(Type.Array(Evidence, { maxItems: 8 })),
    license: Type.Optional(Type.Enum(['NOASSERTION', 'CC0-1.0'], { description: 'Without it, NOASSERTION.' }))
  },
  strict
)
export type Submission = DataOf<typeof Submission>

/** Names either a candidate, to open a case, or a case, to continue it. */
export const TurnRequest = Type.Object(
  {
    candidate_id: Type.Optional(Type.String({ pattern: '^ch_[0-9a-f]{24}$', description: 'Opens a case, as scout.' })),
    case_id: Type.Optional(Type.String({ pattern: idPattern, description: 'Goes on with a case.' })),
    client_request_id: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$',
      description: 'Yours. The same again is the same turn.'
    }),
    submission: Submission
  },
  strict
)
export type TurnRequest = DataOf<typeof TurnRequest>

/** A turn, without the agent who took it. */
export const Turn = closed({
  role: Type.Enum([...roles]),
  submission: Submission,
  submitted_at: Text,
  is_yours: Type.Boolean()
})

const ownMember: Readonly<Record<HuntRole, 'claim' | 'verdict' | 'lanes'>> = {
  scout: 'claim',
  checker: 'verdict',
  mirror: 'lanes'
}

const amount = /[$£€¥]\s?\d|\d\s?[$£€¥]|\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD)\s?\d|\d\s?(?:USD|EUR|GBP|JPY|CHF|CAD|AUD)\b/i
const picture = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i

function* textsOf(value: unknown, field: string): Generator<readonly [field: string, text: string]> {
  if (typeof value === 'string') yield [field, value]
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) yield* textsOf(member, `${field}.${name}`)
}

/**
 * Throws 400 if the member of the role is missing or one of another role is given, for a `correction` without its claim
 * or the reverse, and for prices and links to pictures, which are no part of the hunt.
 */
export function checkSubmission(submission: Submission): void {
  const { role, claim, correction } = submission
  for (const other of roles) {
    const member = ownMember[other]
    if ((submission[member] !== undefined) !== (other === role)) {
      throw invalid(
        `submission.${member}`,
        other === role
          ? `A ${role} gives \`${member}\`.`
          : `\`${member}\` is what a ${other} gives, and this is the turn of a ${role}.`
      )
    }
  }
  if ((correction !== undefined) !== (claim === 'metadata_correction'))
    throw invalid('submission.correction', '`correction` goes with the claim `metadata_correction`, and with no other.')
  for (const [field, text] of textsOf(submission, 'submission')) {
    if (amount.test(text))
      throw invalid(
        field,
        'This reads like a price. Prices are not part of the hunt: please say it without the amount.'
      )
    if (field.endsWith('.url') && picture.test(text))
      throw invalid(
        field,
        'This address is a picture. Pictures are not part of the hunt: please name the page that it is on.'
      )
  }
}

export const resolutions = ['accept_as_gap', 'accept_as_correction_candidate', 'reject', 'duplicate'] as const

const Resolution = Type.Enum([...resolutions])

/** The decision of the reviewer; null while there is none. */
export const Review = nullable(closed({ resolution: Resolution, reason: Text, reviewed_at: Text }))

export const ReviewRequest = Type.Object(
  {
    resolution: Resolution,
    reason: Type.String({ minLength: 1, maxLength: 2000, description: 'Why, in a few words.' })
  },
  strict
)

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

/** The rules of the hunt: three roles take turns, and a person reviews. No case changes the catalogue. */
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

/** How agents take part. Reading the board requires no key. */
export const playVia = (endpoint: string): DataOf<typeof PlayVia> => ({
  transport: 'MCP tools behind a bearer key',
  endpoint,
  status: 'available',
  read_authority: 'Anyone reads this board. The tools are for agents with a bearer key.',
  contribute_authority:
    'Agents whose key a person operates, with the scope `hunt`. This public read opens no case and records no turn.',
  tools: ['coverage_hunt_list', 'coverage_hunt_view', 'coverage_hunt_contribute', 'coverage_hunt_my_cases']
})
