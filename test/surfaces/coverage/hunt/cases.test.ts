import t from 'tap'
import { Keys } from '../../../../surfaces/people/keys.ts'
import { createCallers } from '../../../../surfaces/people/callers.ts'
import { Limits } from '../../../../surfaces/people/limits.ts'
import { People } from '../../../../surfaces/people/people.ts'
import { SignIn } from '../../../../surfaces/people/sign-in.ts'
import type { Candidate } from '../../../../surfaces/coverage/candidate.ts'
import { HuntCases, type Case } from '../../../../surfaces/coverage/hunt/cases.ts'
import type { TurnRequest } from '../../../../surfaces/coverage/hunt/rules.ts'
import { testDatabase } from '../../../support/database.ts'

const { database } = await testDatabase(t)
const { knex } = database
const [cases, keys, people] = [new HuntCases(database), new Keys(database), new People(database)]

const candidateOf = (digit: string): Candidate => ({
  candidate: {
    id: `ch_${digit.repeat(24)}`,
    fingerprint: digit.repeat(64),
    kind: 'missing_set_observations',
    target: { game_code: 'op', set_code: 'op99' },
    metrics: {},
    observed_at: null,
    why_candidate: 'A source lists the set, and no card of it was observed.'
  },
  question: 'Was it published?',
  where_to_look: [],
  selection_trace: {
    rule: 'declared_set_absent_from_observation_archive',
    registry_status: null,
    registry_access: null,
    observed_pair_present: false,
    acquisition_task: false
  },
  eligible_evidence: ['publisher-page'],
  boundary: 'A question.'
})
const find = async (id: string): Promise<Candidate | undefined> =>
  await Promise.resolve(
    id.startsWith('ch_') && id !== `ch_${'0'.repeat(24)}` ? candidateOf(id.at(-1) ?? '') : undefined
  )

const agent = async (name: string, person?: string): Promise<string> =>
  (
    await keys.create({
      kind: 'agent',
      name,
      contact: 'x@example.org',
      scopes: ['read', 'hunt'],
      ...(person === undefined ? {} : { person })
    })
  ).made.id
const says = {
  scout: { role: 'scout', claim: 'gap_present' },
  checker: { role: 'checker', verdict: 'support' },
  mirror: { role: 'mirror', lanes: { facts: ['It is listed.'] } }
} as const
let requests = 0
const turn = (
  role: keyof typeof says,
  where: Readonly<{ candidate_id?: string; case_id?: string }>,
  requestId = `r${(requests += 1)}`
): TurnRequest => ({ ...where, client_request_id: requestId, submission: says[role] })
const take = async (who: string, asked: TurnRequest): Promise<Case> => await cases.contribute(who, asked, find)

t.test('three agents take turns in their order, and a person notes what it comes to', async t => {
  const owner = await people.add('owner', [])
  const [scout, checker, mirror] = [
    await agent('scout', owner.id),
    await agent('checker', owner.id),
    await agent('mirror')
  ]
  await t.rejects(take(checker, turn('checker', { candidate_id: candidateOf('1').candidate.id })), {
    code: 'CONFLICT',
    details: { next_role: 'scout' }
  })
  await t.rejects(take(scout, turn('scout', { candidate_id: `ch_${'0'.repeat(24)}` })), { code: 'NOT_FOUND' })
  const opened = await take(scout, turn('scout', { candidate_id: candidateOf('1').candidate.id }))
  t.match(opened, {
    status: 'checking',
    next_role: 'checker',
    turns: [{ role: 'scout', is_yours: true, submission: { claim: 'gap_present', license: 'NOASSERTION' } }]
  })
  t.equal(Date.parse(opened.expires_at) - Date.parse(opened.opened_at), 72 * 3_600_000)
  const of = { case_id: opened.case_id }
  await t.rejects(
    take(checker, turn('scout', { candidate_id: candidateOf('1').candidate.id })),
    { code: 'CONFLICT', details: of },
    'a candidate has one case'
  )
  await t.rejects(take(mirror, turn('mirror', of)), { code: 'CONFLICT', details: { next_role: 'checker' } })
  await t.rejects(take(scout, turn('checker', of)), { code: 'CONFLICT', message: /three agents/ })
  await t.rejects(cases.review(opened.case_id, { resolution: 'reject', reason: 'x' }, owner.id), { code: 'CONFLICT' })
  t.match(await take(checker, turn('checker', of)), {
    status: 'mirroring',
    turns: [{ is_yours: false }, { is_yours: true }]
  })
  t.match(await take(mirror, turn('mirror', of)), { status: 'ready_for_human', next_role: null })
  const [first] = await cases.forReview()
  t.match(first, {
    case_id: opened.case_id,
    shares_a_person: true,
    agents: [
      { key: 'scout', person: 'owner' },
      { key: 'checker', person: 'owner' },
      { key: 'mirror', person: null }
    ]
  })
  await cases.review(opened.case_id, { resolution: 'accept_as_gap', reason: 'The publisher lists it.' }, owner.id)
  await t.rejects(
    cases.review(opened.case_id, { resolution: 'reject', reason: 'x' }, owner.id),
    { code: 'CONFLICT' },
    'a review is noted once'
  )
  t.match(await cases.view(opened.case_id, scout), { status: 'resolved', review: { resolution: 'accept_as_gap' } })
  t.equal((await cases.of(scout, {})).length, 1)
  t.same(await cases.of(scout, { status: 'resting' }), [])
  t.notOk(JSON.stringify(await cases.view(opened.case_id, scout)).includes('owner'), 'agents are not told who they are')
  await people.leave(owner.id)
  t.match(
    (await cases.forReview())[0],
    {
      agents: [{ key: null, person: null }, { key: null, person: null }, { key: 'mirror' }],
      turns: [{ submission: { claim: 'gap_present' } }, {}, {}]
    },
    'what was said stays, and who said it goes'
  )
})

t.test('of many at once one wins, and the others are told', async t => {
  const agents = await Promise.all(Array.from({ length: 6 }, async (_, at) => await agent(`racer ${at}`)))
  const race = async (asked: (at: number) => TurnRequest): Promise<Case[]> => {
    const ended = await Promise.allSettled(agents.map(async (one, at) => await take(one, asked(at))))
    for (const one of ended) if (one.status === 'rejected') t.match(one.reason, { code: 'CONFLICT' })
    return ended.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  }
  const [opened, ...others] = await race(() => turn('scout', { candidate_id: candidateOf('2').candidate.id }))
  t.same(others, [])
  t.equal((await race(() => turn('checker', { case_id: opened?.case_id ?? '' }))).length, 1)
  t.equal((await cases.view(opened?.case_id ?? '')).turns.length, 2)
})

t.test('a retry changes nothing, also at the same time; the same id for something else is refused', async t => {
  const scout = await agent('retry')
  const asked = turn('scout', { candidate_id: candidateOf('3').candidate.id }, 'again')
  const answers = await Promise.all([take(scout, asked), take(scout, asked), take(scout, asked)])
  t.equal(new Set(answers.map(one => one.case_id)).size, 1)
  t.same((await take(scout, asked)).turns.length, 1)
  await t.rejects(take(scout, { ...asked, submission: { role: 'scout', claim: 'not_a_gap' } }), {
    code: 'CONFLICT',
    details: { field: 'client_request_id' }
  })
})

t.test('a case rests after 72 hours, and its candidate may be taken again', async t => {
  const [scout, checker] = [await agent('slow'), await agent('late')]
  const opened = await take(scout, turn('scout', { candidate_id: candidateOf('4').candidate.id }))
  await knex('hunt_cases')
    .where({ id: opened.case_id })
    .update({ expires_at: knex.raw("now() - interval '1 second'") })
  await t.rejects(take(checker, turn('checker', { case_id: opened.case_id })), {
    code: 'CONFLICT',
    details: { status: 'resting', next_role: null }
  })
  const again = await take(checker, turn('scout', { candidate_id: candidateOf('4').candidate.id }))
  t.not(again.case_id, opened.case_id)
  t.equal(
    (await cases.byCandidate(checker, [candidateOf('4').candidate.id, candidateOf('1').candidate.id])).get(
      candidateOf('4').candidate.id
    )?.case_id,
    again.case_id
  )
})

t.test('a case that waits for a person is shown before any number of newer ones', async t => {
  const [waiting] = await knex('hunt_cases')
    .insert({
      candidate_id: candidateOf('6').candidate.id,
      candidate: JSON.stringify(candidateOf('6')),
      opened_at: '2026-01-01',
      expires_at: '2026-01-04'
    })
    .returning<{ id: string }[]>('id')
  for (const role of ['scout', 'checker', 'mirror'] as const)
    await knex('hunt_turns').insert({
      case_id: waiting?.id,
      role,
      agent: await agent(role),
      client_request_id: role,
      digest: role,
      submission: JSON.stringify(says[role])
    })
  await knex('hunt_cases').insert(
    Array.from({ length: 250 }, () => ({
      candidate_id: candidateOf('7').candidate.id,
      candidate: JSON.stringify(candidateOf('7')),
      expires_at: '2026-01-04'
    }))
  )
  t.match((await cases.forReview())[0], { case_id: waiting?.id, status: 'ready_for_human' })
  t.match(
    [
      ...(
        await cases.byCandidate(await agent('late reader'), [
          candidateOf('6').candidate.id,
          candidateOf('7').candidate.id
        ])
      ).values()
    ]
      .map(one => one.candidate.candidate.id)
      .sort(),
    [candidateOf('6').candidate.id, candidateOf('7').candidate.id]
  )
})

const refused: readonly (readonly [string, TurnRequest['submission'], string])[] = [
  ['a claim of a checker', { role: 'checker', verdict: 'support', claim: 'gap_present' }, 'submission.claim'],
  ['a scout without a claim', { role: 'scout' }, 'submission.claim'],
  [
    'a correction without its claim',
    { role: 'scout', claim: 'gap_present', correction: { field: 'set_code', value: 'OP-99' } },
    'submission.correction'
  ],
  [
    'a price in a note',
    { role: 'scout', claim: 'gap_present', note: 'It sells for 12.50 EUR there.' },
    'submission.note'
  ],
  ['a price in a lane', { role: 'mirror', lanes: { facts: ['Listed at $3'] } }, 'submission.lanes.facts.0'],
  [
    'a picture',
    {
      role: 'scout',
      claim: 'gap_present',
      evidence: [{ kind: 'publisher-page', url: 'https://example.org/card.PNG?x=1' }]
    },
    'submission.evidence.0.url'
  ]
]
for (const [name, submission, field] of refused) {
  t.test(`refused: ${name}`, async t => {
    await t.rejects(
      take(await agent(name), { candidate_id: candidateOf('5').candidate.id, client_request_id: 'x', submission }),
      { code: 'INVALID_INPUT', details: { field } }
    )
    t.same(await knex('hunt_cases').where({ candidate_id: candidateOf('5').candidate.id }), [])
  })
}

t.test('a key that nobody operates only reads, whatever is written down for it', async t => {
  const { key, made } = await keys.create({
    kind: 'agent',
    name: 'self',
    contact: 'x@example.org',
    scopes: ['read', 'hunt']
  })
  const callers = createCallers(new People(database), new SignIn(database), keys, new Limits(database))
  t.match(await callers.find({ key }, new Date()), { id: made.id, grants: ['read', 'hunt'] })
  await knex('access_keys').where({ id: made.id }).update({ origin: 'self-serve' })
  t.match(await callers.find({ key }, new Date()), { id: made.id, grants: ['read'] })
})
