import t from 'tap'
import { candidatesInOrder, type Finding } from '../../../surfaces/coverage/candidate.ts'

const finding = (kind: Finding['kind'], game: string | undefined, card: number): Finding => ({
  kind,
  rule: 'unassigned_observation_count_positive',
  target: { ...(game === undefined ? {} : { game_code: game }), sku: String(card) },
  metrics: {},
  question: 'Is it so?',
  look: [],
  size: 0,
  observedAt: null,
  isObserved: false
})
const many = (kind: Finding['kind'], game: string | undefined, count: number): Finding[] =>
  Array.from({ length: count }, (_, card) => finding(kind, game, card))
const placesOf = (findings: readonly Finding[]): string[] =>
  candidatesInOrder(findings, new Map()).map(
    ({ candidate: { kind, target } }) => `${target.game_code ?? ''} ${kind.split('_')[0] ?? ''}`
  )

t.test('games take turns, and so do the kinds of a game: a game with many findings hides no other', t => {
  const findings = [
    ...many('declared_observed_disagreement', 'aa', 30),
    ...many('partial_set_observations', 'aa', 2),
    ...many('declared_observed_disagreement', 'bb', 2),
    ...many('missing_set_observations', 'bb', 1),
    ...many('partial_set_observations', 'cc', 1),
    ...many('unassigned_observations', undefined, 1)
  ]
  t.same(placesOf(findings).slice(0, 9), [
    ' unassigned',
    'aa partial',
    'bb declared',
    'cc partial',
    'aa declared',
    'bb missing',
    'aa partial',
    'bb declared',
    'aa declared'
  ])
  t.equal(placesOf(findings).length, findings.length)
  t.same(placesOf([...findings].reverse()), placesOf(findings), 'whatever the order in which they were found')
  t.end()
})
