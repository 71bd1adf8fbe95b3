// test: sampled.
import fc from 'fast-check'
import t from 'tap'
import { apply, type Applied } from '../../../../surfaces/play/practice/apply.ts'
import { chooseAction } from '../../../../surfaces/play/practice/opponent.ts'
import { legalActions, type Action } from '../../../../surfaces/play/practice/rules.ts'
import {
  decisionOf,
  levels,
  randomBelow,
  seedRandom,
  type MatchState,
  type PracticeLevel,
  type Random
} from '../../../../surfaces/play/practice/state.ts'
import { times } from '../../../support/effort.ts'
import { broken, cardsOf } from './invariants.ts'
import { cards, dealt, deckWith, starterDeck } from './match-cards.ts'

type Options = Readonly<{
  opponent?: boolean
  concedes?: boolean
  told?: (action: Action, before: MatchState, applied: Applied) => void
}>

/**
 * Plays a match to its end: player 1 at random, player 2 at random or as the built-in opponent. Concedes only with
 * `concedes`. Fails as soon as something is broken.
 */
function playOut(
  first: MatchState,
  choices: string,
  { opponent = false, concedes = false, told = () => {} }: Options = {}
): Readonly<{ state: MatchState; actions: number }> {
  const dealtCards = cardsOf(first)
  let random: Random = seedRandom(choices)
  let state = first
  let actions = 0
  while (state.result === null) {
    const listed = legalActions(state)
    const choosable = concedes ? listed : listed.slice(0, -1)
    const [at, next] = randomBelow(random, choosable.length)
    random = next
    const action = opponent && decisionOf(state)?.player === 'player_2' ? chooseAction(state) : choosable[at]
    if (action === undefined) throw new Error('Nothing can be done in a match that is not over.')
    const applied = apply(state, action)
    if ('refused' in applied)
      throw new Error(`A listed action was refused: ${JSON.stringify(action)} ${applied.message}`)
    told(action, state, applied)
    const problems = broken(applied.state, dealtCards)
    if (problems.length > 0) throw new Error(`After ${JSON.stringify(action)}: ${problems.join('; ')}`)
    state = applied.state
    actions += 1
  }
  return { state, actions }
}

/** A deck in which Triggers, every keyword, Stages and Events meet. */
const mixed = (leader: string, colour: string): ReturnType<typeof deckWith> => {
  const fitting = [...cards.values()].filter(card => card.category !== 'leader' && card.colours?.includes(colour))
  const some = (wanted: (card: (typeof fitting)[number]) => boolean, count: number): string[] =>
    fitting
      .filter(wanted)
      .slice(0, count)
      .map(({ number }) => number)
  return deckWith(leader, [
    ...new Set([
      ...some(({ trigger, category }) => trigger === 'play' && category === 'character', 2),
      ...some(({ trigger }) => trigger === 'other', 2),
      ...some(({ keywords }) => keywords.includes('double_attack'), 1),
      ...some(({ keywords }) => keywords.includes('banish'), 1),
      ...some(({ keywords }) => keywords.includes('rush'), 1),
      ...some(({ keywords }) => keywords.includes('blocker'), 2),
      ...some(({ category }) => category === 'stage', 2),
      ...some(({ category }) => category === 'event', 1),
      ...some(({ counter }) => counter === 2000, 2),
      ...some(({ cost, category }) => category === 'character' && (cost ?? 9) <= 2, 6)
    ])
  ])
}

const decks = fc
  .integer({ min: 0, max: 5 })
  .map(index => (index < 4 ? starterDeck(index) : index === 4 ? mixed('ST01-001', 'red') : mixed('ST07-001', 'yellow')))
const matches = fc.record({
  seed: fc.string({ maxLength: 20 }),
  level: fc.constantFrom<PracticeLevel>(...levels),
  first: fc.constantFrom('player_1' as const, 'player_2' as const, undefined),
  player_1: decks,
  player_2: decks
})
const deal = ({
  player_1,
  player_2,
  ...rest
}: typeof matches extends fc.Arbitrary<infer Match> ? Match : never): MatchState =>
  dealt({ ...rest, decks: { player_1, player_2 } }).state

t.test('matches of random players, 2500 in a long run, end with one winner and break nothing on the way', t => {
  let most = 0
  fc.assert(
    fc.property(matches, fc.string(), (match, choices) => {
      most = Math.max(most, playOut(deal(match), choices).actions)
    }),
    { numRuns: times(2500) }
  )
  t.comment(`the longest match took ${most} actions`)
  t.ok(most > 50)
  t.end()
})

t.test('matches against the built-in opponent end as well, on every level', t => {
  fc.assert(
    fc.property(matches, fc.string(), (match, choices) => {
      playOut(deal(match), choices, { opponent: true })
    }),
    { numRuns: times(300) }
  )
  t.end()
})

t.test('players who may concede at any moment break nothing either', t => {
  fc.assert(
    fc.property(matches, fc.string(), (match, choices) => {
      playOut(deal(match), choices, { concedes: true })
    }),
    { numRuns: times(300) }
  )
  t.end()
})

t.test('each action leaves the state it was given as it was, and tells its events in one unbroken count', t => {
  fc.assert(
    fc.property(matches, fc.string(), (match, choices) => {
      const first = deal(match)
      let untouched = JSON.stringify(first)
      let offset = first.events
      playOut(first, choices, {
        told: (action, before, { state, events }) => {
          if (JSON.stringify(before) !== untouched) throw new Error(`${action.type} changed its state in place`)
          if (events.length === 0 || events.some(event => event.offset !== offset++))
            throw new Error(`${action.type} miscounts its events`)
          untouched = JSON.stringify(state)
        }
      })
    }),
    { numRuns: times(100) }
  )
  t.end()
})

t.test('players who never attack lose by their decks, within the bound', t => {
  fc.assert(
    fc.property(matches, match => {
      let state = deal(match)
      const dealtCards = cardsOf(state)
      while (state.result === null) {
        const applied = apply(
          state,
          decisionOf(state)?.kind === 'mulligan' ? { type: 'mulligan', redraw: true } : { type: 'end_turn' }
        )
        if ('refused' in applied) throw new Error(applied.message)
        state = applied.state
      }
      return state.result.reason === 'deck_out' && broken(state, dealtCards).length === 0 && state.turn < 100
    }),
    { numRuns: times(50) }
  )
  t.end()
})

t.test('the same seed, decks, level and choices make the same match, event by event; another seed another one', t => {
  const history = (first: MatchState, choices: string): string => {
    const lines: string[] = []
    playOut(first, choices, {
      opponent: true,
      told: (action, _, { events }) => {
        lines.push(JSON.stringify([action, events]))
      }
    })
    return lines.join('\n')
  }
  fc.assert(
    fc.property(
      matches,
      fc.string(),
      (match, choices) => history(deal(match), choices) === history(deal(match), choices)
    ),
    { numRuns: times(50) }
  )
  const orders = new Set(
    Array.from({ length: 50 }, (_, index) => dealt({ seed: `seed ${index}` }).state.sides.player_1.deck.join())
  )
  t.equal(orders.size, 50)
  t.end()
})
