import { mainDeckSize } from '../../../../surfaces/play/deck-rules.ts'
import { donDeckSize } from '../../../../surfaces/play/practice/apply.ts'
import { characterLimit } from '../../../../surfaces/play/practice/events.ts'
import {
  cardOf,
  decisionOf,
  opponentOf,
  players,
  unitsOf,
  type Player,
  type MatchState
} from '../../../../surfaces/play/practice/state.ts'

/** The cards of a player's main deck, wherever they lie, in order. */
const everywhere = (state: MatchState, player: Player): number[] => {
  const { deck, hand, life, trash, field, stage } = state.sides[player]
  const shown = state.battle?.shown ?? null
  return [
    ...deck,
    ...hand,
    ...life,
    ...trash,
    ...field.map(({ card }) => card),
    ...(stage === null ? [] : [stage.card]),
    ...(shown !== null && player === opponentOf(state.turnPlayer) ? [shown] : [])
  ].sort((a, b) => a - b)
}

export const cardsOf = (state: MatchState): Record<Player, string> => ({
  player_1: everywhere(state, 'player_1').join(),
  player_2: everywhere(state, 'player_2').join()
})

/** What is broken in a state; empty when nothing is. `cards` is `cardsOf` of the match when it was dealt. */
export function broken(state: MatchState, cards: Record<Player, string>): string[] {
  const found: string[] = []
  const must = (holds: boolean, what: string): void => {
    if (!holds) found.push(what)
  }
  for (const player of players) {
    const side = state.sides[player]
    const all = everywhere(state, player)
    must(
      all.length === mainDeckSize && all.join() === cards[player],
      `${player}: the cards of the deck are no longer the same`
    )
    const given = unitsOf(side).reduce((sum, { don }) => sum + don, 0)
    must(side.don.deck + side.don.active + side.don.rested + given === donDeckSize, `${player}: not ten DON!! cards`)
    must(
      [side.don.deck, side.don.active, side.don.rested].every(count => Number.isInteger(count) && count >= 0),
      `${player}: a negative number of DON!! cards`
    )
    must(side.field.length <= characterLimit, `${player}: too many Characters`)
    must(
      side.field.every(({ card }) => cardOf(state, card).category === 'character'),
      `${player}: something else in the Character area`
    )
    must(
      side.stage === null || cardOf(state, side.stage.card).category === 'stage',
      `${player}: something else in the Stage area`
    )
    must(side.life.length <= (cardOf(state, side.leader.card).life ?? 0), `${player}: more Life than the Leader has`)
    must(
      new Set(unitsOf(side).map(({ id }) => id)).size === side.field.length + 1,
      `${player}: an instance occurs twice`
    )
    must(
      side.deck.length > 0 || (state.result?.reason === 'deck_out' && state.result.winner !== player),
      `${player}: an empty deck without a defeat`
    )
  }
  must(
    (decisionOf(state) === null) === (state.result !== null),
    'a match is over and still decides, or the other way round'
  )
  must(state.result === null || players.includes(state.result.winner), 'a match is over without a winner')
  must(state.battle === null || state.turn > 2, 'a battle on a first turn')
  // Each turn but the first draws a card, and a deck of 50 without hand and Life holds fewer than 45.
  must(state.turn <= 2 * mainDeckSize, 'more turns than cards')
  return found
}
