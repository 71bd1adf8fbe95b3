// test: slow.
import fc from 'fast-check'
import t from 'tap'
import { apply } from '../../../../surfaces/play/practice/apply.ts'
import { chooseAction } from '../../../../surfaces/play/practice/opponent.ts'
import { legalActions, sameAction } from '../../../../surfaces/play/practice/rules.ts'
import {
  decisionOf,
  seedRandom,
  shuffle,
  type MatchState,
  type PracticeLevel
} from '../../../../surfaces/play/practice/state.ts'
import { dealt, starterDeck } from './match-cards.ts'

/**
 * Lets two levels play each other, with the same deck on both sides and each side first in half of the matches; the
 * share that `one` wins.
 */
function duel(one: PracticeLevel, two: PracticeLevel, matches: number): number {
  let won = 0
  for (let number = 0; number < matches; number++) {
    const deck = starterDeck(number >> 1)
    let { state } = dealt({
      seed: `duel ${number}`,
      first: number % 2 === 0 ? 'player_1' : 'player_2',
      decks: { player_1: deck, player_2: deck }
    })
    for (;;) {
      const decision = decisionOf(state)
      if (decision === null) break
      const applied = apply(state, chooseAction({ ...state, level: decision.player === 'player_1' ? one : two }))
      if ('refused' in applied) throw new Error(applied.message)
      state = applied.state
    }
    if (state.result?.winner === 'player_1') won += 1
  }
  return won / matches
}

t.test('a higher level wins more often', t => {
  const results = {
    'normal against easy': duel('normal', 'easy', 60),
    'hard against easy': duel('hard', 'easy', 60),
    'hard against normal': duel('hard', 'normal', 200)
  }
  t.comment(JSON.stringify(results))
  t.ok(results['normal against easy'] > 0.8)
  t.ok(results['hard against easy'] > 0.8)
  t.ok(results['hard against normal'] > 0.55)
  t.end()
})

/** The same match with the hidden cards of the caller, and everything that is hidden from both, dealt otherwise. */
function otherwiseHidden(state: MatchState, seed: string): MatchState {
  const { player_1: yours, player_2: theirs } = state.sides
  const [pool] = shuffle([...yours.hand, ...yours.deck, ...yours.life], seedRandom(seed))
  const [own] = shuffle([...theirs.deck, ...theirs.life], seedRandom(seed))
  return {
    ...state,
    sides: {
      player_1: {
        ...yours,
        hand: pool.slice(0, yours.hand.length),
        deck: pool.slice(yours.hand.length, -yours.life.length || undefined),
        life: yours.life.length === 0 ? [] : pool.slice(-yours.life.length)
      },
      player_2: { ...theirs, deck: own.slice(0, theirs.deck.length), life: own.slice(theirs.deck.length) }
    }
  }
}

t.test('it plays by what it may see: hidden cards never change what it does, and it never concedes', t => {
  let asked = 0
  fc.assert(
    fc.property(
      fc.string({ maxLength: 8 }),
      fc.constantFrom<PracticeLevel>('easy', 'normal', 'hard'),
      fc.nat(3),
      (seed, level, deck) => {
        let { state } = dealt({
          seed,
          level,
          first: undefined,
          decks: { player_1: starterDeck(deck), player_2: starterDeck(deck + 1) }
        })
        while (state.result === null) {
          const action = chooseAction(state)
          if (action.type === 'concede' || !legalActions(state).some(listed => sameAction(listed, action))) return false
          if (decisionOf(state)?.player === 'player_2') {
            asked += 1
            if (!sameAction(chooseAction(otherwiseHidden(state, `${seed} ${asked}`)), action)) return false
          }
          const applied = apply(state, action)
          if ('refused' in applied) throw new Error(applied.message)
          state = applied.state
        }
        return true
      }
    ),
    { numRuns: 150 }
  )
  t.ok(asked > 1000, `${asked} decisions were compared`)
  t.end()
})
