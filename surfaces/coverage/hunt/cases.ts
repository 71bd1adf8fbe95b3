import {
  closed,
  Count,
  hashCanonical,
  notFound,
  nullable,
  SurfaceError,
  Text,
  Type,
  type Caller,
  type DataOf,
  type JsonObject
} from 'pantry/data'
import type { Knex } from 'pantry/database'
import { conflict } from '../../common/errors.ts'
import { recordAct } from '../../people/acts.ts'
import { Candidate } from '../candidate.ts'
import {
  caseHours,
  checkSubmission,
  resolutions,
  Review,
  roles,
  statuses,
  Turn,
  type HuntRole,
  type Status,
  type TurnRequest
} from './rules.ts'
import type { Store } from '../../common/repository.ts'

/** Returns the id of the calling key. Throws on surfaces that do not require an agent's key. */
export function agentOf({ id, session }: Caller): string {
  if (id === undefined || session !== undefined) throw new Error('A surface without a key asks for its agent.')
  return id
}

export const Case = closed({
  case_id: Text,
  status: Type.Enum([...statuses]),
  next_role: nullable(Type.Enum([...roles])),
  candidate: Candidate,
  opened_at: Text,
  expires_at: Text,
  turns: Type.Array(Turn),
  review: Review
})
export type Case = DataOf<typeof Case>

/**
 * A case with its agents. `key` is the name of a key, null once the key is deleted; `person` is then null too, and for
 * a key that belongs to no person.
 */
export const ReviewedCase = closed({
  ...Case.properties,
  agents: Type.Array(closed({ role: Type.Enum([...roles]), key: nullable(Text), person: nullable(Text) })),
  shares_a_person: Type.Boolean()
})
export type ReviewedCase = DataOf<typeof ReviewedCase>
export const ReviewList = closed({ cases: Type.Array(ReviewedCase) })

const Stored = closed({
  id: Text,
  candidate: Candidate,
  opened_at: Text,
  expires_at: Text,
  is_over: Type.Boolean(),
  resolution: nullable(Type.Enum([...resolutions])),
  reason: nullable(Text),
  reviewed_at: nullable(Text),
  turns: Type.Array(
    closed({
      ...Turn.properties,
      is_yours: nullable(Type.Boolean()),
      key: nullable(Text),
      person_id: nullable(Text),
      person: nullable(Text)
    })
  )
})
type Stored = DataOf<typeof Stored>

/**
 * Query for cases, with their turns in order of time. `is_yours` is null if no agent (`:agent`) is given, or if the key
 * that took the turn is deleted.
 */
const cases = `
  select c.id, c.candidate, c.opened_at, c.expires_at, c.expires_at <= now() as is_over, c.resolution, c.reason, c.reviewed_at,
    coalesce((select jsonb_agg(jsonb_build_object('role', t.role, 'submission', t.submission, 'submitted_at', to_char(t.submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'is_yours', t.agent = asked.agent, 'key', k.name, 'person_id', k.person, 'person', p.username) order by t.submitted_at, t.role)
      from hunt_turns t left join access_keys k on k.id = t.agent left join people p on p.id = k.person where t.case_id = c.id), '[]') as turns
  from hunt_cases c, (select cast(:agent as uuid) as agent) asked`

const waits = `c.resolution is null and (select count(*) from hunt_turns t where t.case_id = c.id) = ${roles.length}`

function statusOf({ is_over: isOver, resolution, turns }: Stored): Status {
  if (resolution !== null) return 'resolved'
  if (turns.length === roles.length) return 'ready_for_human'
  if (isOver) return 'resting'
  return turns.length === 1 ? 'checking' : 'mirroring'
}

function caseOf(stored: Stored): Case {
  const { resolution, reason, reviewed_at } = stored
  const status = statusOf(stored)
  return {
    case_id: stored.id,
    status,
    next_role: status === 'checking' ? 'checker' : status === 'mirroring' ? 'mirror' : null,
    candidate: stored.candidate,
    opened_at: stored.opened_at,
    expires_at: stored.expires_at,
    turns: stored.turns.map(({ role, submission, submitted_at, is_yours: isYours }) => ({
      role,
      submission,
      submitted_at,
      is_yours: isYours === true
    })),
    review: resolution === null || reason === null || reviewed_at === null ? null : { resolution, reason, reviewed_at }
  }
}

function reviewedOf(stored: Stored): ReviewedCase {
  const owners = stored.turns.flatMap(({ person_id: id }) => id ?? [])
  return {
    ...caseOf(stored),
    agents: stored.turns.map(({ role, key, person }) => ({ role, key, person })),
    shares_a_person: new Set(owners).size < owners.length
  }
}

/** Three agents take turns in a case about a candidate, then a reviewer decides. Cases never change the catalogue. */
export class HuntCases {
  readonly #database: Store

  constructor(database: Store) {
    this.#database = database
  }

  async #read(
    where: string,
    params: Readonly<{ agent?: string | undefined; id?: string; candidate?: string }> = {},
    knex: Knex = this.#database.knex,
    order = ''
  ): Promise<readonly Stored[]> {
    const statement = `${cases} where ${where} order by ${order} c.opened_at desc, c.id limit 200`
    const { agent = null, id = null, candidate = null } = params
    return await this.#database.rows(Stored, knex.raw(statement, { agent, id, candidate }))
  }

  /** Returns a case. Throws 404 when it does not exist. */
  async view(id: string, agent?: string, knex?: Knex): Promise<Case> {
    const [found] = await this.#read('c.id = :id', { id, agent }, knex)
    if (found === undefined) throw notFound('case', id)
    return caseOf(found)
  }

  /**
   * Returns the cases in which an agent took a turn, newest first; with `status`, those of its newest 200 that have it.
   */
  async of(
    agent: string,
    { status, limit = 20 }: Readonly<{ status?: Status | undefined; limit?: number }>
  ): Promise<readonly Case[]> {
    const taken = 'exists (select from hunt_turns t where t.case_id = c.id and t.agent = :agent)'
    return (await this.#read(taken, { agent }))
      .map(caseOf)
      .filter(found => status === undefined || found.status === status)
      .slice(0, limit)
  }

  /** Returns the newest case of each candidate that has one, by candidate id. */
  async byCandidate(agent: string, candidates: readonly string[]): Promise<ReadonlyMap<string, Case>> {
    const newest =
      "c.id in (select distinct on (candidate_id) id from hunt_cases where candidate_id = any(string_to_array(:candidate, ',')) order by candidate_id, opened_at desc, id)"
    const found = (await this.#read(newest, { agent, candidate: candidates.join(',') })).map(caseOf)
    return new Map(found.map(known => [known.candidate.candidate.id, known]))
  }

  async waiting(): Promise<number> {
    const { knex, rows } = this.#database
    const counted = knex('hunt_cases as c').whereRaw(waits).count({ waiting: '*' })
    return (await rows(closed({ waiting: Count }), counted))[0]?.waiting ?? 0
  }

  /** Returns at most 200 cases: first those that wait for a review, oldest first, then the others, newest first. */
  async forReview(): Promise<readonly ReviewedCase[]> {
    const order = `not (${waits}), case when ${waits} then c.opened_at end,`
    return (await this.#read('true', {}, undefined, order)).map(reviewedOf)
  }

  /**
   * Takes a turn; the first one opens the case. Repeating a request changes nothing. Throws 404 for an unknown case or
   * candidate; 409 if it is another role's turn, another agent was faster, the case is over, the agent already took a
   * turn in it, or the request id was used for another turn.
   */
  async contribute(
    agent: string,
    request: TurnRequest,
    findCandidate: (id: string) => Promise<Candidate | undefined>
  ): Promise<Case> {
    const { candidate_id: candidateId, case_id: caseId, client_request_id: requestId, submission } = request
    if ((candidateId === undefined) === (caseId === undefined))
      throw new SurfaceError(
        'INVALID_INPUT',
        'Name either `candidate_id`, to open a case, or `case_id`, to go on with one.',
        { details: { field: 'case_id' } }
      )
    checkSubmission(submission)
    const digest = hashCanonical(JSON.parse(JSON.stringify(request)) as JsonObject)
    const candidate = candidateId === undefined ? undefined : await findCandidate(candidateId)
    const id = await this.#database.knex.transaction(async transaction => {
      // The lock serialises the turns of an agent, so that a retry finds the turn that it repeats.
      await transaction.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`hunt agent ${agent}`])
      const [same] = await this.#database.rows(
        closed({ case_id: Text, digest: Text }),
        transaction('hunt_turns').select('case_id', 'digest').where({ agent, client_request_id: requestId })
      )
      if (same !== undefined) {
        if (same.digest === digest) return same.case_id
        throw conflict('This `client_request_id` was used for another turn. Please take a new one.', {
          field: 'client_request_id',
          case_id: same.case_id
        })
      }
      const into = caseId ?? (await this.#open(transaction, candidateId ?? '', candidate, submission.role))
      if (caseId !== undefined) await this.#checkTurn(transaction, caseId, submission.role)
      const [taken] = await this.#database.rows(
        closed({ role: Text }),
        transaction('hunt_turns').where({ case_id: into, agent }).select('role')
      )
      if (taken !== undefined)
        throw conflict('This agent took a turn in the case already. The three turns are of three agents.', {
          case_id: into
        })
      await transaction('hunt_turns').insert({
        case_id: into,
        role: submission.role,
        agent,
        client_request_id: requestId,
        digest,
        submission: JSON.stringify({ license: 'NOASSERTION', ...submission })
      })
      await recordAct(transaction, agent, 'hunt.turn', into, { role: submission.role })
      return into
    })
    return await this.view(id, agent)
  }

  /** Opens a case. A candidate has at most one case that did not expire unfinished. */
  async #open(
    transaction: Knex.Transaction,
    candidateId: string,
    candidate: Candidate | undefined,
    role: HuntRole
  ): Promise<string> {
    if (role !== 'scout') throw conflict('A case begins with its scout.', { next_role: 'scout' })
    if (candidate === undefined) throw notFound('candidate', candidateId)
    await transaction.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`hunt candidate ${candidateId}`])
    const earlier = await this.#read('c.candidate_id = :candidate', { candidate: candidateId }, transaction)
    const [last] = earlier.map(caseOf)
    if (last !== undefined && last.status !== 'resting')
      throw conflict('This candidate has a case.', {
        case_id: last.case_id,
        status: last.status,
        next_role: last.next_role
      })
    const [opened] = await this.#database.rows(
      closed({ id: Text }),
      transaction('hunt_cases')
        .insert({
          candidate_id: candidateId,
          candidate: JSON.stringify(candidate),
          expires_at: transaction.raw("now() + ? * interval '1 hour'", [caseHours])
        })
        .returning('id')
    )
    if (opened === undefined) throw new Error('No case was stored.')
    return opened.id
  }

  /** Locks a case and reads it, so that the second of two concurrent callers sees what the first one did. */
  async #locked(transaction: Knex.Transaction, id: string): Promise<Case> {
    await transaction('hunt_cases').where({ id }).forUpdate().select('id')
    return await this.view(id, undefined, transaction)
  }

  async #checkTurn(transaction: Knex.Transaction, id: string, role: HuntRole): Promise<void> {
    const { status, next_role: nextRole } = await this.#locked(transaction, id)
    if (nextRole !== role)
      throw conflict(
        nextRole === null ? `The case takes no more turns: it is ${status}.` : `The case waits for its ${nextRole}.`,
        { case_id: id, status, next_role: nextRole }
      )
  }

  /**
   * Stores the decision on a case, which has no other effect. Throws 404 for an unknown case, 409 for one that is not
   * ready for review.
   */
  async review(
    id: string,
    { resolution, reason }: Readonly<{ resolution: string; reason: string }>,
    actor: string
  ): Promise<void> {
    await this.#database.knex.transaction(async transaction => {
      const { status } = await this.#locked(transaction, id)
      if (status !== 'ready_for_human')
        throw conflict(`The case does not wait for a review: it is ${status}.`, { case_id: id, status })
      await transaction('hunt_cases').where({ id }).update({ resolution, reason, reviewed_at: transaction.fn.now() })
      await recordAct(transaction, actor, 'hunt.review', id, { resolution })
    })
  }
}
