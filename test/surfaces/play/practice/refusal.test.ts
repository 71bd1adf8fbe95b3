import fc from 'fast-check'
import t from 'tap'
import { apply } from '../../../../surfaces/play/practice/apply.ts'
import {
  actionFields,
  actionTypes,
  legalActions,
  refusalReasons,
  sameAction,
  type Action,
  type ActionInput
} from '../../../../surfaces/play/practice/rules.ts'
import { randomBelow, seedRandom, type MatchState, type Random } from '../../../../surfaces/play/practice/state.ts'
import { cards, dealt } from './match-cards.ts'

/** The states of one random match. */
function* states(seed: string): Generator<MatchState> {
  let { state } = dealt({ seed, first: undefined })
  let random: Random = seedRandom(seed)
  while (state.result === null) {
    yield state
    const choices = legalActions(state).slice(0, -1)
    const [at, next] = randomBelow(random, choices.length)
    random = next
    const applied = apply(state, choices[at] ?? { type: 'concede' })
    if ('refused' in applied) throw new Error(applied.message)
    state = applied.state
  }
  yield state
}

const instance = fc.oneof(
  fc.constantFrom('p1_leader', 'p2_leader', 'p1_s1', ''),
  fc.tuple(fc.constantFrom('p1_c', 'p2_c'), fc.integer({ min: 1, max: 20 })).map(([side, number]) => `${side}${number}`)
)
const number = fc.constantFrom(...[...cards.keys()].filter(held => /^(ST0[12]|OP0[1-5])/.test(held)), 'OP99-999')
const field = {
  redraw: fc.boolean(),
  card_number: fc.oneof(number, fc.constant(null)),
  replace: instance,
  instance: fc.oneof(instance, fc.constant(null)),
  attacker: instance,
  target: instance,
  use: fc.boolean()
}
const anything: fc.Arbitrary<ActionInput> = fc.record(
  { type: fc.constantFrom(...actionTypes), ...field },
  { requiredKeys: ['type'] }
)

/** A legal action with one field changed, taken away or added. */
const mutate = (action: Action, name: (typeof actionFields)[number], value: unknown): ActionInput => ({
  ...action,
  [name]: value
})

t.test(
  'in a thousand random states every listed action is accepted, and any other is refused with a reason and a sentence',
  t => {
    const reasons = new Set<string>()
    let tried = 0
    fc.assert(
      fc.property(
        fc.string({ maxLength: 8 }),
        fc.array(anything, { minLength: 30, maxLength: 30 }),
        fc.array(fc.constantFrom(...actionFields), { minLength: 10, maxLength: 10 }),
        fc.array(instance, { minLength: 10, maxLength: 10 }),
        (seed, actions, names, values) => {
          for (const state of states(seed)) {
            const listed = legalActions(state)
            for (const action of listed) if ('refused' in apply(state, action)) return false
            const mutated = listed
              .slice(0, 5)
              .flatMap((action, index) => [
                mutate(action, names[index] ?? 'use', values[index]),
                mutate(action, names[index + 5] ?? 'use', undefined)
              ])
            for (const action of [...actions, ...mutated]) {
              if (listed.some(legal => sameAction(legal, action))) continue
              const applied = apply(state, action)
              tried += 1
              if (
                !('refused' in applied) ||
                !refusalReasons.includes(applied.refused) ||
                !/^[A-Z`].{10,}\.$/su.test(applied.message)
              ) {
                throw new Error(
                  `${JSON.stringify(action)} ${JSON.stringify('refused' in applied ? applied : 'was accepted')}`
                )
              }
              reasons.add(applied.refused)
            }
          }
          return true
        }
      ),
      { numRuns: 25 }
    )
    t.comment(`${tried} actions were refused`)
    t.ok(tried > 10_000)
    t.ok(reasons.size >= 8, [...reasons].join())
    t.end()
  }
)

t.test('an action with a field too many is not refused for a reason that does not hold', t => {
  let { state } = dealt()
  while (state.mulligan !== null) {
    const kept = apply(state, { type: 'mulligan', redraw: false })
    if ('refused' in kept) throw new Error(kept.message)
    state = kept.state
  }
  const { leader, don } = state.sides[state.turnPlayer]
  t.ok(don.active > 0)
  t.match(apply(state, { type: 'attach_don', instance: leader.id, use: true }), {
    refused: 'incomplete_action',
    message: /do not belong/
  })
  t.notMatch(apply(state, { type: 'attach_don', instance: leader.id }), { refused: String })
  t.end()
})

t.test('a field that is missing is named, and so is one that does not belong', t => {
  const { state } = dealt()
  const said = (action: ActionInput): string => {
    const applied = apply(state, action)
    return 'refused' in applied ? applied.message : ''
  }
  t.match(said({ type: 'mulligan' }), '`redraw`')
  t.match(said({ type: 'mulligan', redraw: true, card_number: 'ST01-003' }), 'do not belong')
  t.match(said({ type: 'end_turn' }), '`mulligan`, `concede`')
  t.end()
})
